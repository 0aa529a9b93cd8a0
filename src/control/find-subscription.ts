import type { GateFailure } from '../contract/failure.ts';
import { findEntity } from '../world/dump.ts';
import { hintFor } from '../world/references.ts';
import { type ControlDeps, cannot } from './handler.ts';

/** The id of the subscription with this alias or id. A wrong name is `invalid` in a query or body, `not-found` in a path. */
export async function findSubscription(
  name: string,
  { store }: ControlDeps,
  why: 'invalid' | 'not-found',
): Promise<{ readonly id: string } | GateFailure> {
  const found = await findEntity(store.db, 'subscriptions', name);
  if (found) return { id: found.id };
  const hint = await hintFor(store.db, 'subscriptions', name);
  return cannot(why, `There is no subscription "${name}".${hint || ' List them with xpk subscriptions or GET /_control/subscriptions.'}`);
}

/** For an optional filter: `id` is undefined if there is none. */
export async function findFilter(name: string | undefined, deps: ControlDeps): Promise<{ readonly id: string | undefined } | GateFailure> {
  return name === undefined ? { id: undefined } : findSubscription(name, deps, 'invalid');
}
