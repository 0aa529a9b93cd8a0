import type { DecisionId, Decisions } from '../../../src/contract/generated/decisions.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import type { Cell, Results } from '../../../src/report/results.ts';

/** What is wrong with a run against a kit that keeps every rule: the suite punishes a decision, or does not see it. */
export interface Objection {
  /** Absent: it is about the run as a whole. */
  readonly rule?: RuleId;
  readonly decision?: DecisionId;
  /** Nothing was seen: the machine may have been too slow for what measures rates. */
  readonly unseen?: true;
  readonly text: string;
}

/** @param observable the decisions that have to be seen. */
export function objectionsTo(results: Results, inForce: Readonly<Decisions>, observable: readonly DecisionId[]): Objection[] {
  return [...ofTheRun(results), ...ofRules(results), ...ofObservations(results, inForce, observable)];
}

function ofTheRun({ interrupted, errors, leftovers }: Results): Objection[] {
  return [
    ...(interrupted ? [{ text: 'the run was ended before all was judged' }] : []),
    ...errors.map((text) => ({ text })),
    ...leftovers.map((left) => ({ text: `left behind: ${left}` })),
  ];
}

function ofRules({ rules }: Results): Objection[] {
  return rules.flatMap(({ id, cells }) =>
    Object.entries(cells).flatMap(([form, cell]) =>
      cell.verdict === 'passed' || cell.verdict === 'not-applicable'
        ? []
        : [{ rule: id, ...unseenIf(cell.verdict === 'not-testable'), text: `${id} (${form}) is ${cell.verdict}: ${whyOf(cell)}` }],
    ),
  );
}

/** What the worst check says, or else what was missing. */
function whyOf({ verdict, checks, reason = '' }: Cell): string {
  const check = checks.find((each) => each.verdict === verdict);
  const why = check?.failure?.message ?? check?.reason ?? reason;
  return check === undefined ? why : `${check.title} ${why} (${check.place})`;
}

function ofObservations({ observations }: Results, inForce: Readonly<Decisions>, observable: readonly DecisionId[]): Objection[] {
  return observable.flatMap((decision) => {
    const seen = observations.filter((observation) => observation.decision === decision).map(({ value }) => value);
    if (seen.length === 1 && seen[0] === inForce[decision]) return [];
    const how = seen.length === 0 ? 'not seen' : `seen as ${seen.join(' and ')}`;
    return [{ decision, ...unseenIf(seen.length === 0), text: `${decision} is ${inForce[decision]} and was ${how}` }];
  });
}

function unseenIf(condition: boolean): { unseen?: true } {
  return condition ? { unseen: true } : {};
}
