import type { DecisionId } from '../contract/generated/decisions.ts';
import { type Decision, decisions } from '../contract/generated/decisions-table.ts';
import type { Results } from './results.ts';

/**
 * What was observed as a file of decisions: a kit that is started with it behaves as the target was seen to. What was seen in several ways, or in
 * one that a kit has not, stands there as a comment.
 */
export function decisionsFile({ observations, target, startedAt }: Results): string {
  const groups = Map.groupBy(observations, ({ decision }) => decision);
  const lines = [...groups].map(([id, seen]) => {
    const values = seen.map(({ value }) => value);
    const [value] = values;
    if (value === undefined || values.length > 1) return `# ${id}: seen as ${values.map((each) => comment(each)).join(' and ')}`;
    return isKnown(decisions[id as DecisionId], value)
      ? `${id}: ${JSON.stringify(value)}`
      : `# ${id}: ${comment(value)}, which the kit does not know`;
  });
  return [
    `# As seen at ${comment(target.baseUrl)} on ${startedAt}. xpk start --decisions THIS-FILE`,
    ...lines,
    ...(groups.size === 0 ? ['{}'] : []),
    '',
  ].join('\n');
}

function isKnown(decision: Decision | undefined, value: string | number | boolean): boolean {
  if (decision === undefined) return false;
  if (decision.values) return decision.values.type === 'integer' ? Number.isInteger(value) : typeof value === decision.values.type;
  return [decision.default, ...(decision.alternatives ?? [])].includes(value);
}

/** On one line, whatever a target answered. */
function comment(value: string | number | boolean): string {
  return String(value).replace(/\s+/g, ' ');
}
