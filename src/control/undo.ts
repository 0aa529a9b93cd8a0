import type { Request } from 'express';
import type { ControlOperationId } from '../contract/generated/control-operations.ts';
import { listUndoable, MAX_ENTITIES, prepareUndo, undoChange } from '../service/undo.ts';
import { countEntities } from '../store/counts.ts';
import { findNames } from '../world/names.ts';
import { describeChanges, describeLoad } from './describe-change.ts';
import { type ControlDeps, type ControlHandlers, refuseRequest } from './handler.ts';

/** A request with this header can be undone. Clients for persons send it, because the copy takes time. */
export const UNDOABLE_HEADER = 'xpk-undoable';
/** The response to such a request has the id of its change. */
export const CHANGE_HEADER = 'xpk-change';

const WORLD_CHANGES: ReadonlySet<ControlOperationId> = new Set([
  'createEntities',
  'createEntity',
  'putEntity',
  'patchEntity',
  'deleteEntity',
  'createSubscription',
  'patchSubscription',
  'deleteSubscription',
  'triggerEvent',
  'loadState',
  'uploadWorld',
  'loadScenario',
  'reset',
]);

/** @returns the function to call if the request succeeds; undefined if the request cannot be undone */
export async function prepareUndoOf(
  operationId: ControlOperationId,
  { method, originalUrl, params, body }: Pick<Request, 'method' | 'originalUrl' | 'params' | 'body'>,
  deps: ControlDeps,
): Promise<(() => Promise<string | undefined>) | undefined> {
  if (!WORLD_CHANGES.has(operationId)) return undefined;
  const request = `${method} ${originalUrl}`;
  // A deletion also deletes the name.
  const names = await findNames(deps.store.db, originalUrl);
  return prepareUndo(deps, { at: new Date().toISOString(), request }, async (tx, before, isLoad) =>
    isLoad ? { text: describeLoad(operationId, { ...params, ...body }), changes: [] } : describeChanges(tx, before, { request, names }),
  );
}

export const undoHandlers: Pick<ControlHandlers, 'listUndoable' | 'undo'> = {
  listUndoable: async (_, { store }) => ({ status: 200, body: await listUndoable(store.db) }),
  async undo({ query: { change } }, deps) {
    const result = await undoChange(deps, change);
    if (result === undefined && change !== undefined)
      return refuseRequest('conflict', 'This change was undone already, or is older than the changes that the kit keeps.');
    if (result === undefined)
      return refuseRequest(
        'conflict',
        `There is no change to undo. The console and xpk keep the last changes to a world of at most ${MAX_ENTITIES} entities; other clients send the header Xpk-Undoable.`,
      );
    if ('obstacle' in result) return refuseRequest('conflict', result.obstacle);
    // Undoing a reset may set kit time back, which would extend the existing rate windows.
    deps.clearRateWindows();
    return { status: 200, body: { undone: result, world: deps.world.name, entities: await countEntities(deps.store.db) } };
  },
};
