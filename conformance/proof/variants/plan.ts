import type { DecisionId, Decisions } from '../../../src/contract/generated/decisions.ts';
import { type Decision, decisions as table } from '../../../src/contract/generated/decisions-table.ts';

type Value = string | number | boolean;

const decisions = Object.entries(table) as [DecisionId, Decision][];

/** What can be chosen instead of the default, by decision: every alternative, or a sample if there are too many. */
export const alternatives: ReadonlyMap<DecisionId, readonly Value[]> = new Map(
  decisions.flatMap(([id, { alternatives: listed = [], sample = listed }]) => (sample.length > 0 ? [[id, sample]] : [])),
);

/** The decisions that the suite can observe. */
export const observable: readonly DecisionId[] = decisions.filter(([, { observable: seen }]) => seen === true).map(([id]) => id);

/** Variant k takes alternative k of every decision, starting again at the first: the fewest variants that take every alternative. */
export function planVariants(isIncluded: (id: DecisionId) => boolean): Partial<Decisions>[] {
  const included = [...alternatives].filter(([id]) => isIncluded(id));
  const count = Math.max(0, ...included.map(([, values]) => values.length));
  return Array.from({ length: count }, (_, k) => Object.fromEntries(included.map(([id, values]) => [id, values[k % values.length]])));
}
