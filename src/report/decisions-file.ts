import type { DecisionId } from '../contract/generated/decisions.ts';
import { type Decision, decisions } from '../contract/generated/decisions-table.ts';
import type { Observation, Results } from '../contract/generated/results.ts';

/** Returns a decisions file that makes a kit behave like the target. */
type Source = Pick<Results, 'observations' | 'startedAt'> & { readonly target: Pick<Results['target'], 'baseUrl'> };

export function formatDecisionsFile({ observations, target, startedAt }: Source): string {
  const groups = Map.groupBy(observations, ({ decision }) => decision);
  const lines = [...groups].map(([id, observed]) => {
    const values = observed.map(({ value }) => value);
    const [value] = values;
    if (value === undefined || values.length > 1) return `# ${id}: observed as ${values.map((each) => toCommentText(each)).join(' and ')}`;
    return isSupported({ decision: id, value })
      ? `${id}: ${JSON.stringify(value)}`
      : `# ${id}: ${toCommentText(value)}, which the kit does not support`;
  });
  return [
    `# Observed at ${toCommentText(target.baseUrl)} on ${startedAt}. xpk start --decisions THIS-FILE`,
    ...lines,
    ...(groups.size === 0 ? ['{}'] : []),
    '',
  ].join('\n');
}

/** Whether a kit can be started with the decision. */
export function isSupported({ decision, value }: Pick<Observation, 'decision' | 'value'>): boolean {
  const known: Decision | undefined = decisions[decision as DecisionId];
  if (known === undefined) return false;
  if (known.values) return known.values.type === 'integer' ? Number.isInteger(value) : typeof value === known.values.type;
  return [known.default, ...(known.alternatives ?? [])].includes(value);
}

export function formatObservedValue(observation: Pick<Observation, 'decision' | 'value'>): string {
  const { decision, value } = observation;
  const known: Decision | undefined = decisions[decision as DecisionId];
  const notes = [
    ...(isSupported(observation) ? [] : ['not one of the alternatives']),
    ...(known === undefined || known.default === value ? [] : [`the kit's default: ${known.default}`]),
  ];
  return notes.length === 0 ? String(value) : `${value} (${notes.join('; ')})`;
}

/** A line break in a value from the target would end the comment. */
function toCommentText(value: string | number | boolean): string {
  return String(value).replace(/\s+/g, ' ');
}
