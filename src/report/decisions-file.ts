import type { DecisionId } from '../contract/generated/decisions.ts';
import { type Decision, decisions } from '../contract/generated/decisions-table.ts';
import type { Results } from '../contract/generated/results.ts';

/**
 * Writes the observed decisions as a decisions file, so that a kit that is started with the file behaves like the target. A decision with
 * several observed values, or with a value that the kit does not support, becomes a comment.
 */
export function decisionsFile({ observations, target, startedAt }: Results): string {
  const groups = Map.groupBy(observations, ({ decision }) => decision);
  const lines = [...groups].map(([id, observed]) => {
    const values = observed.map(({ value }) => value);
    const [value] = values;
    if (value === undefined || values.length > 1) return `# ${id}: observed as ${values.map((each) => comment(each)).join(' and ')}`;
    return isSupported(decisions[id as DecisionId], value)
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

function isSupported(decision: Decision | undefined, value: string | number | boolean): boolean {
  if (decision === undefined) return false;
  if (decision.values) return decision.values.type === 'integer' ? Number.isInteger(value) : typeof value === decision.values.type;
  return [decision.default, ...(decision.alternatives ?? [])].includes(value);
}

/** Replaces line breaks, because a value comes from the target and must not end the comment. */
function comment(value: string | number | boolean): string {
  return String(value).replace(/\s+/g, ' ');
}
