import { FailureError, type GateFailure, isFailure } from '../contract/failure.ts';
import type { Actor } from '../domain/access.ts';
import type { ServiceContext } from '../service/context.ts';
import type { WorldState } from '../service/world-state.ts';
import { type Change, planChange } from './change.ts';
import { findEntity } from './dump.ts';
import { COLLECTIONS, getEntityType } from './entities.ts';
import { findOrThrow } from './references.ts';
import { catchFailure, prefixPointers, throwFailure, unwrapResult } from './refusal.ts';
import { type Collection, SINGULAR_NOUNS } from './world.ts';
import { deleteRow, type Operator, type RowScope, toWrittenEntity, type WrittenEntity, writeRow } from './write-rows.ts';

const PLATFORM: Operator = { kind: 'platform' };

export interface StateDeps {
  readonly context: ServiceContext;
  readonly world: WorldState;
}

export function getActor(collection: Collection, operatorKind?: Operator['kind']): Operator {
  return { kind: operatorKind ?? (getEntityType(collection).useCases ? 'portal' : 'platform') };
}

/** Stores the events in the same transaction. */
export function writeEntity<C extends Collection>(
  deps: StateDeps,
  actor: Operator,
  collection: C,
  change: Change,
): Promise<WrittenEntity<C> | GateFailure> {
  const write = getEntityType(collection).useCases
    ? writeByUseCase(deps, actor, collection, change)
    : runInTransaction(deps, actor, [collection], (scope) => writeRow(scope, collection, change));
  return catchFailure(collection, write);
}

/** Deletes an entity and everything that belongs to it. */
export function deleteEntity(deps: StateDeps, actor: Operator, collection: Collection, name: string): Promise<object | GateFailure> {
  const remove = getEntityType(collection).useCases
    ? deleteByUseCase(deps, actor, collection, name)
    : runInTransaction(deps, actor, [collection], (scope) => deleteRow(scope, collection, name));
  return catchFailure(collection, remove);
}

type EntitiesByCollection = { readonly [C in Collection]?: Readonly<Record<string, object>> };

/**
 * Creates entities and their events in one transaction, in the order of the collections.
 * @param entities the entities by collection and alias, without assignments and connections
 * @returns the created entities, or the first failure, whose pointers refer to `entities`
 */
export async function createEntities(deps: StateDeps, entities: EntitiesByCollection): Promise<EntitiesByCollection | GateFailure> {
  const collections = COLLECTIONS.filter((collection) => entities[collection] !== undefined);
  const work = runInTransaction(deps, PLATFORM, collections, async (scope) => {
    const created: [string, object][] = [];
    for (const collection of collections) {
      const ofCollection: [string, object][] = [];
      for (const [alias, members] of Object.entries(entities[collection] ?? {})) {
        const change = { kind: 'create', body: { ...members, alias } } as const;
        const result = await catchFailure(collection, writeRow(scope, collection, change));
        if (isFailure(result)) throw new FailureError(prefixPointers([collection, alias], result));
        ofCollection.push([alias, result.entity]);
      }
      created.push([collection, Object.fromEntries(ofCollection)]);
    }
    return Object.fromEntries(created);
  });
  return work.catch((error: unknown) => {
    if (error instanceof FailureError) return error.failure as GateFailure;
    throw error;
  });
}

async function runInTransaction<T>(
  { context, world }: StateDeps,
  actor: Operator,
  collections: readonly Collection[],
  work: (scope: RowScope) => Promise<T>,
): Promise<T> {
  const affectsCallers = collections.some((collection) => getEntityType(collection).affectsCallers);
  const result = await context.store.write(async (tx) => {
    const done = await work({ tx, context, actor });
    if (affectsCallers) await world.markChanged(tx);
    return done;
  });
  if (affectsCallers) await world.reload();
  return result;
}

async function writeByUseCase<C extends Collection>(
  { context }: StateDeps,
  actor: Actor,
  collection: C,
  change: Change,
): Promise<WrittenEntity<C>> {
  const { store } = context;
  const useCases = getEntityType(collection).useCases!;
  const { next, current } = await store.read((db) => planChange(db, context.ids, collection, change));
  const result = unwrapResult(await (current ? useCases.update(context, actor, next) : useCases.create(context, actor, next)));
  const id = current?.id ?? (result as { id: string }).id;
  const entity = await store.read((db) => findEntity(db, collection, id));
  if (!entity) return throwFailure('not-found', `Another request deleted the ${SINGULAR_NOUNS[collection]} after this request wrote it.`);
  return toWrittenEntity(entity, current);
}

async function deleteByUseCase({ context }: StateDeps, actor: Actor, collection: Collection, name: string): Promise<object> {
  const current = await context.store.read((db) => findOrThrow(db, collection, name));
  return unwrapResult(await getEntityType(collection).useCases!.remove(context, actor, current.id));
}
