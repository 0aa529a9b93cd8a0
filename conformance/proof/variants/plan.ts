import type { DecisionId, Decisions } from '../../../src/contract/generated/decisions.ts';
import { type Decision, decisions as table } from '../../../src/contract/generated/decisions-table.ts';

/** Decisions that a kit is started with, and that are not the defaults. */
export type Turned = Partial<Decisions>;

type Value = string | number | boolean;

/** What can be chosen instead of the default, by decision: all alternatives, or a sample where there are too many. */
export const alternatives: ReadonlyMap<DecisionId, readonly Value[]> = new Map(
  (Object.entries(table) as [DecisionId, Decision][]).flatMap(([id, { alternatives: listed = [], sample = listed }]) =>
    sample.length > 0 ? [[id, sample]] : [],
  ),
);

/** The points that can be seen from outside. */
export const observable: readonly DecisionId[] = (Object.entries(table) as [DecisionId, Decision][])
  .filter(([, { observable: seen }]) => seen === true)
  .map(([id]) => id);

/** Server k takes the k-th alternative of every decision, from the first again where there are fewer: a few servers show all. */
export function planServers(isAsked: (id: DecisionId) => boolean): Turned[] {
  const asked = [...alternatives].filter(([id]) => isAsked(id));
  const most = Math.max(0, ...asked.map(([, values]) => values.length));
  return Array.from({ length: most }, (_, k) => Object.fromEntries(asked.map(([id, values]) => [id, values[k % values.length]])) as Turned);
}

/** Those of the decisions. */
export function pick(turned: Turned, ids: readonly DecisionId[]): Turned {
  return Object.fromEntries(Object.entries(turned).filter(([id]) => ids.includes(id as DecisionId))) as Turned;
}
