import type { components } from '../contract/generated/control.ts';
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
  const path = '/_control/state/{collection}/{id}';
  // The cast is safe, because the control API validates each body.
  const getEntity = async (call: Promise<{ readonly data: Schemas['Entity'] }>) => (await convertUsageError(call)).data as never;
  return {
    get: (collection, id) => getEntity(control.GET(path, { params: { path: { collection, id } } })),
    add: (collection, entity) =>
      getEntity(control.POST('/_control/state/{collection}', { params: { path: { collection } }, body: entity })),
    set: (collection, id, changes) => getEntity(control.PATCH(path, { params: { path: { collection, id } }, body: changes })),
    async delete(collection, id) {
      await convertUsageError(control.DELETE(path, { params: { path: { collection, id } } }));
    },
  };
}
