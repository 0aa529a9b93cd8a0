import type { DecisionId, Decisions } from '../../../src/contract/generated/decisions.ts';
import { type Decision, decisions as table } from '../../../src/contract/generated/decisions-table.ts';

type Value = string | number | boolean;

const decisions = Object.entries(table) as [DecisionId, Decision][];

/** Maps a decision to the tested values other than the default: all its alternatives, or a sample. */
export const alternatives: ReadonlyMap<DecisionId, readonly Value[]> = new Map(
  decisions.flatMap(([id, { alternatives: listed = [], sample = listed }]) => (sample.length > 0 ? [[id, sample]] : [])),
);

export const observable: readonly DecisionId[] = decisions
  .filter(([, { notObservedBecause }]) => notObservedBecause === undefined)
  .map(([id]) => id);

/** Plans the fewest variants that together contain every alternative of every decision. */
export function planVariants(isIncluded: (id: DecisionId) => boolean): Partial<Decisions>[] {
  const included = [...alternatives].filter(([id]) => isIncluded(id));
  const count = Math.max(0, ...included.map(([, values]) => values.length));
  return Array.from({ length: count }, (_, k) => Object.fromEntries(included.map(([id, values]) => [id, values[k % values.length]])));
}
