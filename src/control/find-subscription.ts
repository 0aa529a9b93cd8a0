import type { GateFailure } from '../contract/failure.ts';
import { lookUp } from '../world/references.ts';
import type { ControlDeps } from './handler.ts';

/** Finds the id of the subscription that a request filters by. The id is undefined if the request has no such filter. */
export async function findFilter(
  name: string | undefined,
  { store }: ControlDeps,
): Promise<{ readonly id: string | undefined } | GateFailure> {
  return name === undefined ? { id: undefined } : lookUp(store.db, 'subscriptions', name, 'invalid');
}
