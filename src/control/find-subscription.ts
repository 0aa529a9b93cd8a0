import type { GateFailure } from '../contract/failure.ts';
import { lookUp } from '../world/references.ts';
import type { ControlDeps } from './handler.ts';

/** The id of the subscription of an optional filter: undefined if there is none. */
export async function findFilter(
  name: string | undefined,
  { store }: ControlDeps,
): Promise<{ readonly id: string | undefined } | GateFailure> {
  return name === undefined ? { id: undefined } : lookUp(store.db, 'subscriptions', name, 'invalid');
}
