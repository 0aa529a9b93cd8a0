import { didYouMean } from '../contract/did-you-mean.ts';
import { controlFailure, type GateFailure, isFailure } from '../contract/failure.ts';
import { countEntities } from '../store/counts.ts';
import type { Change } from '../world/change.ts';
import { checkWorld } from '../world/compile.ts';
import { dumpCollection, dumpWorld } from '../world/dump.ts';
import { entityType } from '../world/entities.ts';
import { replaceWorld } from '../world/load.ts';
import { lookUp } from '../world/references.ts';
import { invalid } from '../world/refusal.ts';
import { type Collection, SINGULAR, type World } from '../world/world.ts';
import { actorOn, createEntities, deleteEntity, writeEntity } from '../world/write.ts';
import type { Chunked, ControlAnswer, ControlDeps, ControlHandlers, ControlRequest } from './handler.ts';

type Deps = Pick<ControlDeps, 'store' | 'service' | 'world' | 'forget'>;

/** Dumps the whole state as a world, loads a world, and reads and writes single entities. */
export const state = {
  dumpState: (_: ControlRequest, { store }: Deps): Chunked => ({ send: (chunks) => store.read((db) => chunks(dumpWorld(db))) }),

  /** Loads a world without publishing events. An invalid world is refused and changes nothing. */
  async loadState({ body }: ControlRequest, { store, world, forget }: Deps): Promise<ControlAnswer> {
    const { rows, problems } = checkWorld(body);
    if (problems) return invalid(problems);
    await store.replace(async (tx) => {
      await replaceWorld(tx, rows);
      await world.restarted(tx);
    });
    await world.reload();
    // The loaded world may set kit time back. A rate window that started at a later kit time would then last too long.
    forget();
    return { status: 200, body: { world: (body as World).world, entities: await countEntities(store.db) } };
  },

  /** Creates several entities in one transaction. */
  async createEntities({ body }: ControlRequest, { service, world }: Deps): Promise<ControlAnswer> {
    const entities = body as Readonly<Record<string, Readonly<Record<string, object>>>>;
    for (const name of Object.keys(entities)) {
      if (!isCollection(name)) return unknownCollection(name);
      if (entityType(name).useCases) return controlFailure('invalid', `Create the ${name} one at a time: POST /_control/state/${name}.`);
    }
    const result = await createEntities({ context: service(), world }, entities);
    return isFailure(result) ? result : { status: 201, body: result };
  },

  listCollection({ params: { collection } }: ControlRequest, { store }: Deps): Chunked | GateFailure {
    if (!isCollection(collection)) return unknownCollection(collection);
    return { send: (chunks) => store.read((db) => chunks(dumpCollection(db, collection))) };
  },

  /** Reads one entity by its id, alias or telephone number. */
  async readEntity({ params: { collection, id = '' } }: ControlRequest, { store }: Deps): Promise<ControlAnswer> {
    if (!isCollection(collection)) return unknownCollection(collection);
    const found = await store.read((db) => lookUp(db, collection, id));
    return isFailure(found) ? found : { status: 200, body: { alias: found.alias, ...found.entity } };
  },

  /** Creates an entity. The member `alias` is optional: by default the id is the alias. */
  createEntity: (request: ControlRequest, deps: Deps) => write(request, deps, { kind: 'create', body: request.body }),

  /** Creates or replaces the entity with this alias. Members that cannot change may be left out. */
  putEntity: (request: ControlRequest, deps: Deps) =>
    write(request, deps, { kind: 'put', name: request.params.id ?? '', body: request.body }),

  /**
   * Changes the members in the request and keeps all other members. Null removes a member. A map of levels is merged into the stored map.
   */
  patchEntity: (request: ControlRequest, deps: Deps) =>
    write(request, deps, { kind: 'patch', name: request.params.id ?? '', body: request.body }),

  /** Deletes the entity and everything that belongs to the entity. */
  async deleteEntity(request: ControlRequest, { service, world }: Deps): Promise<ControlAnswer> {
    const target = targetOf(request);
    if (isFailure(target)) return target;
    const result = await deleteEntity({ context: service(), world }, target.actor, target.collection, request.params.id ?? '');
    return isFailure(result) ? result : { status: 204 };
  },
} satisfies Partial<ControlHandlers>;

async function write(request: ControlRequest, { service, world }: Deps, change: Change): Promise<ControlAnswer> {
  const target = targetOf(request);
  if (isFailure(target)) return target;
  const result = await writeEntity({ context: service(), world }, target.actor, target.collection, change);
  return isFailure(result) ? result : { status: result.created ? 201 : 200, body: result.entity };
}

function targetOf({ params: { collection }, query: { as } }: ControlRequest) {
  return isCollection(collection) ? { collection, actor: actorOn(collection, as as 'portal') } : unknownCollection(collection);
}

function isCollection(name: string | undefined): name is Collection {
  return name !== undefined && Object.hasOwn(SINGULAR, name);
}

function unknownCollection(name = ''): GateFailure {
  const known = Object.keys(SINGULAR);
  const hint = didYouMean(name, known) || ` The collections are: ${known.join(', ')}.`;
  return controlFailure('not-found', `There is no collection "${name}".${hint}`);
}
