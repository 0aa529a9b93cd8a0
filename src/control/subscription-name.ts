import type { GateRefusal } from '../http/answer.ts';
import { findEntity } from '../world/dump.ts';
import { hintFor } from '../world/references.ts';
import { type ControlDeps, cannot } from './handler.ts';

/** The id of the subscription with this alias or id; undefined where none is asked for. An unknown name is `invalid` in a query or body, `not-found` in a path. */
export async function subscriptionId(
  name: string | undefined,
  { store }: ControlDeps,
  ifUnknown: 'invalid' | 'not-found',
): Promise<string | GateRefusal | undefined> {
  if (name === undefined) return undefined;
  const known = await findEntity(store.db, 'subscriptions', name);
  if (known) return known.id;
  const hint = await hintFor(store.db, 'subscriptions', name);
  return cannot(
    ifUnknown,
    `There is no subscription "${name}".${hint || ' List them with xpk subscriptions or GET /_control/subscriptions.'}`,
  );
}

export function isRefusal(found: string | GateRefusal | undefined): found is GateRefusal {
  return typeof found === 'object';
}
