import type { DecisionId } from '../contract/generated/decisions.ts';
import { type Decision, decisions } from '../contract/generated/decisions-table.ts';
import type { Observation, Results } from '../contract/generated/results.ts';

/**
 * Writes the observed decisions as a decisions file. A kit that starts with the file behaves like the target. If a decision has several
 * observed values, or a value that the kit does not support, the file contains a comment instead.
 */
export function decisionsFile({ observations, target, startedAt }: Results): string {
  const groups = Map.groupBy(observations, ({ decision }) => decision);
  const lines = [...groups].map(([id, observed]) => {
    const values = observed.map(({ value }) => value);
    const [value] = values;
    if (value === undefined || values.length > 1) return `# ${id}: observed as ${values.map((each) => comment(each)).join(' and ')}`;
    return isSupported({ decision: id, value })
      ? `${id}: ${JSON.stringify(value)}`
      : `# ${id}: ${comment(value)}, which the kit does not support`;
  });
  return [
    `# Observed at ${comment(target.baseUrl)} on ${startedAt}. xpk start --decisions THIS-FILE`,
    ...lines,
    ...(groups.size === 0 ? ['{}'] : []),
    '',
  ].join('\n');
}

/** Whether the observed value is the default of the decision or one of its alternatives. */
function isSupported({ decision, value }: Pick<Observation, 'decision' | 'value'>): boolean {
  const known: Decision | undefined = decisions[decision as DecisionId];
  if (known === undefined) return false;
  if (known.values) return known.values.type === 'integer' ? Number.isInteger(value) : typeof value === known.values.type;
  return [known.default, ...(known.alternatives ?? [])].includes(value);
}

/** Returns the observed value for reports. The text says if the value is not an alternative of the decision. */
export function shownValue(observation: Pick<Observation, 'decision' | 'value'>): string {
  return isSupported(observation) ? String(observation.value) : `${observation.value} (not one of the alternatives)`;
}

/** Replaces line breaks, because a value comes from the target and must not end the comment in the file. */
function comment(value: string | number | boolean): string {
  return String(value).replace(/\s+/g, ' ');
}
