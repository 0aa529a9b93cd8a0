import { didYouMean } from '../contract/did-you-mean.ts';
import { createControlFailure, type GateFailure, isFailure } from '../contract/failure.ts';
import { countEntities } from '../store/counts.ts';
import type { Change } from '../world/change.ts';
import type { WorldRows } from '../world/compile.ts';
import { checkWorld } from '../world/compile.ts';
import { dumpCollection, dumpWorld } from '../world/dump.ts';
import { getEntityType, listOwnerCollections } from '../world/entities.ts';
import { replaceWorld } from '../world/load.ts';
import { lookUp } from '../world/references.ts';
import { createInvalidFailure } from '../world/refusal.ts';
import { type Collection, SINGULAR_NOUNS, type World } from '../world/world.ts';
import { createEntities, deleteEntity, getActor, writeEntity } from '../world/write.ts';
import {
  type ChunkedResponse,
  type ControlDeps,
  type ControlHandlers,
  type ControlRequest,
  type ControlResponse,
  type OperationRequest,
  refuseRequest,
} from './handler.ts';

type StateDeps = Pick<ControlDeps, 'store' | 'createContext' | 'world' | 'clearRateWindows'>;

export const stateHandlers = {
  dumpState: (_: ControlRequest, { store }: StateDeps): ChunkedResponse => ({
    send: (sendChunks) => store.read((db) => sendChunks(dumpWorld(db))),
  }),

  /** Publishes no events. If the given world is invalid, keeps the current world. */
  async loadState({ body }: ControlRequest, { store, world, clearRateWindows }: StateDeps): Promise<ControlResponse> {
    const { rows, problems } = checkWorld(body);
    return problems ? createInvalidFailure(problems) : loadWorld((body as World).world, rows, { store, world, clearRateWindows });
  },

  /** Creates several entities in one transaction. */
  async createEntities({ body }: ControlRequest, { createContext, world }: StateDeps): Promise<ControlResponse> {
    const entities = body as Readonly<Record<string, Readonly<Record<string, object>>>>;
    for (const name of Object.keys(entities)) {
      if (!isCollection(name)) return refuseUnknownCollection(name);
      if (getEntityType(name).useCases)
        return createControlFailure('invalid', `Create the ${name} one at a time: POST /_control/state/${name}.`);
    }
    const result = await createEntities({ context: createContext(), world }, entities);
    return isFailure(result) ? result : { status: 201, body: result };
  },

  /** Refuses filters that the collection does not have. */
  async listCollection(request: OperationRequest<'listCollection'>, { store }: StateDeps): Promise<ChunkedResponse | GateFailure> {
    const { collection } = request.params;
    if (!isCollection(collection)) return refuseUnknownCollection(collection);
    const { limit, after, search, provider, account, experience, target } = request.query;
    if (target !== undefined && collection !== 'assignments')
      return refuseRequest('invalid', `The ${collection} have no target.`, '?target');
    const columns: Record<string, string> = target === undefined ? {} : { target_value: target };
    for (const [member, name] of Object.entries({ provider, account, experience })) {
      if (name === undefined) continue;
      const owner = listOwnerCollections(collection)[member];
      if (owner === undefined) return refuseRequest('invalid', `The ${collection} have no ${member}.`, `?${member}`);
      const found = await lookUp(store.db, owner, name, 'invalid', `?${member}`);
      if (isFailure(found)) return found;
      columns[`${member}_id`] = found.id;
    }
    return { send: (chunks) => store.read((db) => chunks(dumpCollection(db, collection, { limit, after, search, columns }))) };
  },

  async readEntity({ params: { collection, id = '' } }: ControlRequest, { store }: StateDeps): Promise<ControlResponse> {
    if (!isCollection(collection)) return refuseUnknownCollection(collection);
    const found = await store.read((db) => lookUp(db, collection, id));
    return isFailure(found) ? found : { status: 200, body: { alias: found.alias, ...found.entity } };
  },

  /** If the body has no `alias`, the entity's id is its alias. */
  createEntity: (request: ControlRequest, deps: StateDeps) => changeEntity(request, deps, { kind: 'create', body: request.body }),

  /** Creates or replaces the entity with this alias. Read-only members may be omitted. */
  putEntity: (request: ControlRequest, deps: StateDeps) =>
    changeEntity(request, deps, { kind: 'put', name: request.params.id ?? '', body: request.body }),

  /** Null removes a member. A map of levels is merged into the stored map. */
  patchEntity: (request: ControlRequest, deps: StateDeps) =>
    changeEntity(request, deps, { kind: 'patch', name: request.params.id ?? '', body: request.body }),

  async deleteEntity(request: ControlRequest, { createContext, world }: StateDeps): Promise<ControlResponse> {
    const target = getChangeTarget(request);
    if (isFailure(target)) return target;
    const result = await deleteEntity({ context: createContext(), world }, target.actor, target.collection, request.params.id ?? '');
    return isFailure(result) ? result : { status: 204 };
  },
} satisfies Partial<ControlHandlers>;

/** Replaces the world without publishing events. */
export async function loadWorld(
  name: string,
  rows: WorldRows,
  { store, world, clearRateWindows }: Pick<StateDeps, 'store' | 'world' | 'clearRateWindows'>,
): Promise<ControlResponse> {
  await store.writeExclusively(async (tx) => {
    await replaceWorld(tx, rows);
    await world.markRestarted(tx);
  });
  await world.reload();
  // Loading a world may set kit time back, which would extend the existing rate windows.
  clearRateWindows();
  return { status: 200, body: { world: name, entities: await countEntities(store.db) } };
}

async function changeEntity(request: ControlRequest, { createContext, world }: StateDeps, change: Change): Promise<ControlResponse> {
  const target = getChangeTarget(request);
  if (isFailure(target)) return target;
  const result = await writeEntity({ context: createContext(), world }, target.actor, target.collection, change);
  return isFailure(result) ? result : { status: result.created ? 201 : 200, body: result.entity };
}

function getChangeTarget({ params: { collection }, query: { as } }: ControlRequest) {
  return isCollection(collection) ? { collection, actor: getActor(collection, as as 'portal') } : refuseUnknownCollection(collection);
}

function isCollection(name: string | undefined): name is Collection {
  return name !== undefined && Object.hasOwn(SINGULAR_NOUNS, name);
}

function refuseUnknownCollection(name = ''): GateFailure {
  const known = Object.keys(SINGULAR_NOUNS);
  const hint = didYouMean(name, known) || ` The collections are: ${known.join(', ')}.`;
  return createControlFailure('not-found', `There is no collection "${name}".${hint}`);
}
