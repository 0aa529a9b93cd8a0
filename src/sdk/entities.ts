import type { components } from '../contract/generated/control.ts';
import { callOperation } from '../control-client/call.ts';
import type { ControlClient } from '../control-client/client.ts';
import { RefusedError, UsageError } from '../control-client/errors.ts';
import type { KitState } from './kit-tools.ts';

type Schemas = components['schemas'];

/** The client and principal of the world's first ready-made token. */
export type TokenDefaults = Partial<NonNullable<Schemas['World']['tokens']>[string]>;

/** Throws a UsageError if the control API refuses a value as invalid or unknown. The message omits the kit's URL. */
export async function convertUsageError<Answer>(call: Promise<Answer>): Promise<Answer> {
  return call.catch((error: unknown) => {
    const isUsage = error instanceof RefusedError && /^\/problems\/control\.(invalid|not-found)$/.test(error.type);
    throw isUsage ? new UsageError(error.detail, { cause: error }) : error;
  });
}

/** Waits for a deletion, and ignores a missing entity, because a reset may already have deleted it. */
export async function ignoreNotFound(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof RefusedError && error.type === '/problems/control.not-found')) throw error;
  });
}

export function createState(control: ControlClient): KitState {
  // The cast is safe, because the control API validates each body.
  const getEntity = async (call: Promise<{ readonly data?: Schemas['Entity'] }>) => (await convertUsageError(call)).data as never;
  return {
    get: (collection, id) => getEntity(callOperation(control, 'readEntity', { collection, id })),
    add: (collection, body) => getEntity(callOperation(control, 'createEntity', { collection, body })),
    set: (collection, id, body) => getEntity(callOperation(control, 'patchEntity', { collection, id, body })),
    async delete(collection, id) {
      await convertUsageError(callOperation(control, 'deleteEntity', { collection, id }));
    },
  };
}
