import type { components } from '../contract/generated/control.ts';
import type { ControlClient } from './control.ts';
import { RefusedError, UsageError } from './errors.ts';
import type { KitState } from './kit-tools.ts';

type Schemas = components['schemas'];

/** The client and the principal of the first ready-made token of the world. */
export type Defaults = Partial<NonNullable<Schemas['World']['tokens']>[string]>;

/** Converts the refusal of an invalid or unknown value to a UsageError, whose message does not repeat the URL of the kit. */
export async function answered<Answer>(call: Promise<Answer>): Promise<Answer> {
  return call.catch((error: unknown) => {
    const isUsage = error instanceof RefusedError && /^\/problems\/control\.(invalid|not-found)$/.test(error.type);
    throw isUsage ? new UsageError(error.detail, { cause: error }) : error;
  });
}

/** Waits for a deletion. Resolves even if the entity does not exist any more, for example after a reset. */
export async function unlessGone(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof RefusedError && error.type === '/problems/control.not-found')) throw error;
  });
}

/** Creates the tools that read and change the world. */
export function createState(control: ControlClient): KitState {
  const path = '/_control/state/{collection}/{id}';
  // The control API checks each body against the schema of the collection, and returns the entity in the same form.
  const entityIn = async (call: Promise<{ readonly data: Schemas['Entity'] }>) => (await answered(call)).data as never;
  return {
    get: (collection, id) => entityIn(control.GET(path, { params: { path: { collection, id } } })),
    add: (collection, entity) => entityIn(control.POST('/_control/state/{collection}', { params: { path: { collection } }, body: entity })),
    set: (collection, id, changes) => entityIn(control.PATCH(path, { params: { path: { collection, id } }, body: changes })),
    async delete(collection, id) {
      await answered(control.DELETE(path, { params: { path: { collection, id } } }));
    },
  };
}
