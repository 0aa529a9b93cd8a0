import type { Cell, Column, Observation, Results, Verdict } from '../contract/generated/results.ts';

/** A change of the verdict on a rule in one column. The verdict is `none` if one run did not test the rule. */
export interface Change {
  readonly rule: string;
  readonly column: Column;
  readonly level: Results['rules'][number]['level'];
  readonly text: string;
  readonly before: Verdict | 'none';
  readonly after: Verdict | 'none';
  /** The message of the failure, if the rule failed in the newer run. */
  readonly message?: string | undefined;
}

export interface Difference {
  /** Rules that fail or end in an error in the newer run, but not in the older run. */
  readonly worse: readonly Change[];
  /** Rules that pass in the newer run, but failed or ended in an error in the older run. */
  readonly better: readonly Change[];
  readonly other: readonly Change[];
  /**
   * Decisions whose observed values differ between the runs. If a run observed several values of a decision, the values are joined into one
   * string.
   */
  readonly observations: readonly { readonly decision: string; readonly before: string; readonly after: string }[];
}

const BAD: readonly Change['before'][] = ['failed', 'error'];

/** Returns the differences between an older run and a newer run, in the columns of both runs. */
export function differenceOf(before: Results, after: Results): Difference {
  const changes = [...changesBetween(before, after)];
  // Advice never fails a run, so a change of the verdict on advice is neither worse nor better.
  const binding = changes.filter(({ level }) => level !== 'advice');
  const worse = binding.filter((change) => !BAD.includes(change.before) && BAD.includes(change.after));
  const better = binding.filter((change) => BAD.includes(change.before) && change.after === 'passed');
  return {
    worse,
    better,
    other: changes.filter((change) => !worse.includes(change) && !better.includes(change)),
    observations: changedObservations(before.observations, after.observations).filter(
      (row) => !isPartial(before, after) || ![row.before, row.after].includes(NOT_OBSERVED),
    ),
  };
}

function* changesBetween(before: Results, after: Results): Generator<Change> {
  const [old, fresh] = [before, after].map(
    (results) => new Map<string, Results['rules'][number]>(results.rules.map((rule) => [rule.id, rule])),
  );
  const isInBoth = (id: string) => old?.has(id) === true && fresh?.has(id) === true;
  const columns = before.columns.filter((column) => after.columns.includes(column));
  for (const id of new Set([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])])) {
    const rule = fresh?.get(id) ?? old?.get(id);
    if (!rule || (isPartial(before, after) && !isInBoth(id))) continue;
    for (const column of columns) {
      const [was, is] = [old?.get(id)?.cells[column], fresh?.get(id)?.cells[column]];
      if (was?.verdict === is?.verdict) continue;
      const { level, text } = rule;
      yield { rule: id, column, level, text, before: was?.verdict ?? 'none', after: is?.verdict ?? 'none', message: messageOf(is) };
    }
  }
}

/** Whether one of the runs tested only some rules. In that case, only rules and decisions in both results are compared. */
export function isPartial(before: Results, after: Results): boolean {
  return before.partial || after.partial;
}

function messageOf(cell: Cell | undefined): string | undefined {
  return cell?.checks.find(({ failure }) => failure)?.failure?.message;
}

const NOT_OBSERVED = 'not observed';

function changedObservations(before: readonly Observation[], after: readonly Observation[]): Difference['observations'] {
  const values = (observations: readonly Observation[], decision: string) =>
    observations
      .filter((observation) => observation.decision === decision)
      .map(({ value }) => String(value))
      .join(' and ') || NOT_OBSERVED;
  const decisions = [...new Set([...before, ...after].map(({ decision }) => decision))].sort();
  return decisions
    .map((decision) => ({ decision, before: values(before, decision), after: values(after, decision) }))
    .filter((row) => row.before !== row.after);
}
