import type { Cell, Column, Observation, Results, Verdict } from '../contract/generated/results.ts';
import { hasFailed } from './totals.ts';

/** `none` means that a run did not test the rule. */
export interface VerdictChange {
  readonly rule: string;
  readonly column: Column;
  readonly level: Results['rules'][number]['level'];
  readonly text: string;
  readonly before: Verdict | 'none';
  readonly after: Verdict | 'none';
  /** The failure's message in the newer run. */
  readonly message?: string | undefined;
}

export interface Difference {
  /** Rules that fail, are flaky or end in an error only in the newer run. */
  readonly worse: readonly VerdictChange[];
  /** Rules that failed, were flaky or ended in an error in the older run and pass in the newer run. */
  readonly better: readonly VerdictChange[];
  readonly other: readonly VerdictChange[];
  /** Several values for one decision are joined. */
  readonly observations: readonly { readonly decision: string; readonly before: string; readonly after: string }[];
}

export function findDifferences(before: Results, after: Results): Difference {
  const changes = [...findChanges(before, after)];
  // Rules with the level `advice` never make a run fail, so their changes are neither worse nor better.
  const binding = changes.filter(({ level }) => level !== 'advice');
  const worse = binding.filter(({ before: verdict, after: now }) => !hasFailed({ verdict }) && hasFailed({ verdict: now }));
  const better = binding.filter(({ before: verdict, after: now }) => hasFailed({ verdict }) && now === 'passed');
  return {
    worse,
    better,
    other: changes.filter((change) => !worse.includes(change) && !better.includes(change)),
    observations: findChangedObservations(before.observations, after.observations).filter(
      (row) => !isPartial(before, after) || ![row.before, row.after].includes(NOT_OBSERVED),
    ),
  };
}

function* findChanges(before: Results, after: Results): Generator<VerdictChange> {
  const [older, newer] = [before, after].map(
    (results) => new Map<string, Results['rules'][number]>(results.rules.map((rule) => [rule.id, rule])),
  );
  const isInBoth = (id: string) => older?.has(id) === true && newer?.has(id) === true;
  const columns = before.columns.filter((column) => after.columns.includes(column));
  for (const id of new Set([...(older?.keys() ?? []), ...(newer?.keys() ?? [])])) {
    const rule = newer?.get(id) ?? older?.get(id);
    if (!rule || (isPartial(before, after) && !isInBoth(id))) continue;
    for (const column of columns) {
      const [olderCell, newerCell] = [older?.get(id)?.cells[column], newer?.get(id)?.cells[column]];
      if (olderCell?.verdict === newerCell?.verdict) continue;
      const { level, text } = rule;
      const verdicts = { before: olderCell?.verdict ?? 'none', after: newerCell?.verdict ?? 'none' } as const;
      yield { rule: id, column, level, text, ...verdicts, message: getFailureMessage(newerCell) };
    }
  }
}

export function isPartial(before: Results, after: Results): boolean {
  return before.partial || after.partial;
}

function getFailureMessage(cell: Cell | undefined): string | undefined {
  return cell?.checks.find(({ failure }) => failure)?.failure?.message;
}

const NOT_OBSERVED = 'not observed';

function findChangedObservations(before: readonly Observation[], after: readonly Observation[]): Difference['observations'] {
  const joinValues = (observations: readonly Observation[], decision: string) =>
    observations
      .filter((observation) => observation.decision === decision)
      .map(({ value }) => String(value))
      .join(' and ') || NOT_OBSERVED;
  const decisions = [...new Set([...before, ...after].map(({ decision }) => decision))].sort();
  return decisions
    .map((decision) => ({ decision, before: joinValues(before, decision), after: joinValues(after, decision) }))
    .filter((row) => row.before !== row.after);
}
