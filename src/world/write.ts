import { isDeepStrictEqual } from 'node:util';
import { sql, type Transaction } from 'kysely';
import { FailureError, type GateFailure, isFailure } from '../contract/failure.ts';
import type { Actor } from '../domain/access.ts';
import { formatInstant } from '../domain/instants.ts';
import type { ServiceContext } from '../service/context.ts';
import type { WorldState } from '../service/world-state.ts';
import { lockAccount } from '../store/accounts.ts';
import { COLLECTION_TABLES } from '../store/counts.ts';
import { getEngine } from '../store/engine.ts';
import { type EntityChange, insertChange } from '../store/entity-changes.ts';
import type { Tables } from '../store/schema.ts';
import { type Change, type Members, planChange, requireObject } from './change.ts';
import { findEntity } from './dump.ts';
import { COLLECTIONS, entityType } from './entities.ts';
import type { EntityToStore, StoredEntity, WriteScope } from './entity.ts';
import { toPointer } from './problem.ts';
import { findOrThrow } from './references.ts';
import { catchFailure, prefixPointers, throwConflict, throwFailure, unwrapResult } from './refusal.ts';
import { type Collection, type EntityOf, getForeignKey, SINGULAR_NOUNS } from './world.ts';

/** Who can change entities through the control API. */
export type Operator = Exclude<Actor, { kind: 'provider' }>;
const PLATFORM: Operator = { kind: 'platform' };

export interface StateDeps {
  readonly context: ServiceContext;
  readonly world: WorldState;
}

export interface WrittenEntity<C extends Collection = Collection> {
  readonly created: boolean;
  readonly entity: { alias: string } & EntityOf<C>;
}

/**
 * Returns the actor that writes an entity. The default is the portal for assignments and connections, and the platform for all other
 * collections.
 */
export function getActor(collection: Collection, as?: Operator['kind']): Operator {
  return { kind: as ?? (entityType(collection).useCases ? 'portal' : 'platform') };
}

/** Creates, replaces or changes an entity on behalf of `actor`. Stores the events of the change in the same transaction. */
export function writeEntity<C extends Collection>(
  deps: StateDeps,
  actor: Operator,
  collection: C,
  change: Change,
): Promise<WrittenEntity<C> | GateFailure> {
  const write = entityType(collection).useCases
    ? writeByUseCase(deps, actor, collection, change)
    : writeRows(deps, actor, collection, change);
  return catchFailure(collection, write);
}

/** Deletes an entity and everything that belongs to the entity, on behalf of `actor`. */
export function deleteEntity(deps: StateDeps, actor: Operator, collection: Collection, name: string): Promise<object | GateFailure> {
  const remove = entityType(collection).useCases
    ? deleteByUseCase(deps, actor, collection, name)
    : deleteRows(deps, actor, collection, name);
  return catchFailure(collection, remove);
}

type EntitiesByCollection = { readonly [C in Collection]?: Readonly<Record<string, object>> };

/**
 * Creates entities on behalf of the platform in one transaction, in the order of the collections. Stores their events in the same
 * transaction.
 * @param entities the entities by collection and alias; must not contain collections that use cases write
 * @returns the created entities, or the refusal of the first entity that is refused, with pointers into `entities`
 */
export async function createEntities(deps: StateDeps, entities: EntitiesByCollection): Promise<EntitiesByCollection | GateFailure> {
  const collections = COLLECTIONS.filter((collection) => entities[collection] !== undefined);
  const work = runInTransaction(deps, collections, async (tx) => {
    const created: [string, object][] = [];
    for (const collection of collections) {
      const ofCollection: [string, object][] = [];
      for (const [alias, members] of Object.entries(entities[collection] ?? {})) {
        const change = { kind: 'create', body: { ...members, alias } } as const;
        const result = await catchFailure(collection, writeRow(tx, deps, PLATFORM, collection, change));
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

function writeRows<C extends Collection>(deps: StateDeps, actor: Operator, collection: C, change: Change): Promise<WrittenEntity<C>> {
  return runInTransaction(deps, [collection], (tx) => writeRow(tx, deps, actor, collection, change));
}

async function writeRow<C extends Collection>(
  tx: Transaction<Tables>,
  { context }: StateDeps,
  actor: Operator,
  collection: C,
  change: Change,
): Promise<WrittenEntity<C>> {
  await lockOwner(tx, collection, change.kind === 'create' ? undefined : change.name, requireObject(change.body));
  const { next, current } = await planChange(tx, context.ids, collection, change);
  const scope = { tx, context, actor };
  await saveRows(scope, collection, next, current);
  const saved = (await findEntity(tx, collection, next.id))!;
  if (!isDeepStrictEqual(saved.entity, current?.entity)) await recordChange(scope, current ? 'changed' : 'created', collection, saved);
  return { created: !current, entity: named(saved) };
}

function deleteRows(deps: StateDeps, actor: Operator, collection: Collection, name: string): Promise<object> {
  return runInTransaction(deps, [collection], async (tx) => {
    await lockOwner(tx, collection, name, {});
    const current = await findOrThrow(tx, collection, name);
    const remove = entityType(collection).writes?.remove;
    const scope = { tx, context: deps.context, actor };
    if (remove) await remove(scope, current);
    else {
      await checkNotReferenced(tx, collection, current);
      await sql`delete from ${sql.table(COLLECTION_TABLES[collection])} where id = ${current.id}`.execute(tx);
    }
    await recordChange(scope, 'deleted', collection, current);
    return {};
  });
}

function recordChange(
  { tx, context, actor }: WriteScope & { readonly actor: Operator },
  action: EntityChange['action'],
  collection: Collection,
  { id, alias }: Pick<StoredEntity, 'id' | 'alias'>,
): Promise<void> {
  const change = {
    id: context.ids.uuid(),
    at: formatInstant(context.clock.now()),
    collection,
    entity_id: id,
    alias,
    action,
    actor: actor.kind,
  };
  return insertChange(tx, change);
}

async function runInTransaction<T>(
  { context, world }: StateDeps,
  collections: readonly Collection[],
  work: (tx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  const affectsCallers = collections.some((collection) => entityType(collection).affectsCallers);
  const result = await context.store.write(async (tx) => {
    const done = await work(tx);
    if (affectsCallers) await world.markChanged(tx);
    return done;
  });
  if (affectsCallers) await world.reload();
  return result;
}

/**
 * Locks the account that owns the entity until the transaction ends. If no account owns the entity, locks the entity. The lock keeps
 * validated facts true until the write, so call this function before any validation. SQLite needs no locks, because it has only one writer.
 * @param name the alias or id of the entity; undefined if the request creates an entity
 * @param members the members in the request, not yet validated
 */
async function lockOwner(tx: Transaction<Tables>, collection: Collection, name: string | undefined, members: Members): Promise<void> {
  if (getEngine(tx) !== 'postgres') return;
  const current = name === undefined ? undefined : await findEntity(tx, collection, name);
  if ('account' in entityType(collection).references) {
    const account = (current?.entity as Members | undefined)?.account ?? members.account;
    const owner = typeof account === 'string' ? await findEntity(tx, 'accounts', account) : undefined;
    if (owner) await lockAccount(tx, owner.id);
  } else if (collection === 'accounts' && current) await lockAccount(tx, current.id);
  else if (current) await sql`select 1 from ${sql.table(COLLECTION_TABLES[collection])} where id = ${current.id} for update`.execute(tx);
}

async function saveRows<C extends Collection>(
  scope: WriteScope,
  collection: C,
  next: EntityToStore<C>,
  current: StoredEntity<C> | undefined,
): Promise<void> {
  const { tx } = scope;
  const { writes, parts } = entityType(collection);
  await checkValuesAreFree(tx, collection, next);
  // The code uses only the id and the alias, which all entity tables have, so the type of any entity table is sufficient.
  const table = COLLECTION_TABLES[collection] as 'accounts';
  const row = next.row as Tables['accounts'];
  if (!current && writes?.create) await writes.create(scope, next);
  else if (!current) await tx.insertInto(table).values(row).execute();
  else if (writes?.update) await writes.update(scope, next, current);
  else {
    const { id, alias: _, ...columns } = row;
    await tx.updateTable(table).set(columns).where('id', '=', id).execute();
  }
  if (!parts) return;
  await sql`delete from ${sql.table(parts.table)} where ${sql.ref(getForeignKey(collection))} = ${next.id}`.execute(tx);
  const rows = next.parts as Tables['account_grants'][];
  const partTable = parts.table as 'account_grants';
  if (rows.length > 0) await tx.insertInto(partTable).values(rows).execute();
}

/** Refuses a unique value that another entity already has. */
async function checkValuesAreFree(
  tx: WriteScope['tx'],
  collection: Collection,
  { id, row, parts: ownParts }: EntityToStore,
): Promise<void> {
  const { parts, unique = [] } = entityType(collection);
  const table = sql.table(COLLECTION_TABLES[collection]);
  for (const { columns, ofParts, at, message } of unique) {
    const [from, owner] = ofParts ? [sql.table(parts!.table), sql.ref(`u.${getForeignKey(collection)}`)] : [table, sql.ref('u.id')];
    for (const [index, values] of ((ofParts ? ownParts : [row]) as Members[]).entries()) {
      const same = columns.map((column) => sql`${sql.ref(`u.${column}`)} = ${values[column]}`);
      const { rows } = await sql<{ alias: string }>`
        select m.alias from ${from} as u join ${table} as m on m.id = ${owner}
        where ${sql.join(same, sql` and `)} and m.id <> ${id}`.execute(tx);
      if (rows[0]) throwConflict(toPointer(at(index)), message(values, rows[0].alias));
    }
  }
}

/** The maximum number of referring entities per collection that a refused deletion lists. */
const MAX_NAMED_REFERRERS = 3;

async function checkNotReferenced(tx: WriteScope['tx'], collection: Collection, { alias, id }: StoredEntity): Promise<void> {
  const referring: string[] = [];
  for (const other of COLLECTIONS) {
    if (!Object.values(entityType(other).references).includes(collection)) continue;
    const { rows } = await sql<{ alias: string }>`
      select alias from ${sql.table(COLLECTION_TABLES[other])} where ${sql.ref(getForeignKey(collection))} = ${id} order by alias limit ${MAX_NAMED_REFERRERS}`.execute(
      tx,
    );
    if (rows.length > 0) referring.push(`the ${other} ${rows.map((row) => `"${row.alias}"`).join(', ')}`);
  }
  if (referring.length === 0) return;
  throwFailure('conflict', `The ${SINGULAR_NOUNS[collection]} "${alias}" is still used by ${referring.join(' and ')}. Delete those first.`);
}

async function writeByUseCase<C extends Collection>(
  { context }: StateDeps,
  actor: Actor,
  collection: C,
  change: Change,
): Promise<WrittenEntity<C>> {
  const { store } = context;
  const useCases = entityType(collection).useCases!;
  const { next, current } = await store.read((db) => planChange(db, context.ids, collection, change));
  const result = unwrapResult(await (current ? useCases.update(context, actor, next) : useCases.create(context, actor, next)));
  const id = current?.id ?? (result as { id: string }).id;
  const entity = await store.read((db) => findEntity(db, collection, id));
  if (!entity)
    return throwFailure('not-found', `Another request deleted the ${SINGULAR_NOUNS[collection]} after this request had written it.`);
  return { created: !current, entity: named(entity) };
}

async function deleteByUseCase({ context }: StateDeps, actor: Actor, collection: Collection, name: string): Promise<object> {
  const current = await context.store.read((db) => findOrThrow(db, collection, name));
  return unwrapResult(await entityType(collection).useCases!.remove(context, actor, current.id));
}

function named<C extends Collection>({ alias, entity }: StoredEntity<C>): { alias: string } & EntityOf<C> {
  return { alias, ...entity };
}
