import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Actor } from '../domain/access.ts';
import { formatInstant } from '../domain/instants.ts';
import type { WriteScope } from '../service/context.ts';
import { COLLECTION_TABLES } from '../store/counts.ts';
import { getEngine } from '../store/engine.ts';
import type { EntityChange } from '../store/entity-changes.ts';
import { insertRow } from '../store/prepared.ts';
import type { Tables } from '../store/schema.ts';
import { type Change, type Members, planChange, requireObject } from './change.ts';
import { findEntity } from './dump.ts';
import { COLLECTIONS, getEntityType } from './entities.ts';
import type { EntityToStore, StoredEntity } from './entity.ts';
import { toPointer } from './problem.ts';
import { findOrThrow } from './references.ts';
import { throwConflict, throwFailure } from './refusal.ts';
import { type Collection, type EntityOf, getForeignKey, SINGULAR_NOUNS } from './world.ts';

export type Operator = Exclude<Actor, { kind: 'provider' }>;

export interface RowScope extends WriteScope {
  readonly actor: Operator;
}

export interface WrittenEntity<C extends Collection = Collection> {
  readonly created: boolean;
  readonly entity: { alias: string } & EntityOf<C>;
}

export function toWrittenEntity<C extends Collection>(
  { alias, entity }: StoredEntity<C>,
  storedBefore: object | undefined,
): WrittenEntity<C> {
  return { created: !storedBefore, entity: { alias, ...entity } };
}

export async function writeRow<C extends Collection>(scope: RowScope, collection: C, change: Change): Promise<WrittenEntity<C>> {
  const { tx, context } = scope;
  await lockOwner(tx, collection, change.kind === 'create' ? undefined : change.name, requireObject(change.body));
  const { next, current } = await planChange(tx, context.ids, collection, change);
  await saveRows(scope, collection, next, current);
  const saved = (await findEntity(tx, collection, next.id))!;
  if (!current) await recordChange(scope, 'created', collection, saved);
  else if (!isDeepStrictEqual(saved.entity, current.entity))
    await recordChange(scope, 'changed', collection, saved, findDifference(current.entity as Members, saved.entity as Members));
  return toWrittenEntity(saved, current);
}

/** @throws FailureError */
export async function deleteRow(scope: RowScope, collection: Collection, name: string): Promise<object> {
  const { tx } = scope;
  await lockOwner(tx, collection, name, {});
  const current = await findOrThrow(tx, collection, name);
  const remove = getEntityType(collection).writes?.remove;
  if (remove) await remove(scope, current);
  else {
    await checkNotReferenced(tx, collection, current);
    await sql`delete from ${sql.table(COLLECTION_TABLES[collection])} where id = ${current.id}`.execute(tx);
  }
  await recordChange(scope, 'deleted', collection, current);
  return {};
}

function recordChange(
  { tx, context, actor }: RowScope,
  action: EntityChange['action'],
  collection: Collection,
  { id, alias }: Pick<StoredEntity, 'id' | 'alias'>,
  difference?: object,
): Promise<void> {
  const change = {
    id: context.ids.uuid(),
    at: formatInstant(context.clock.now()),
    collection,
    entity_id: id,
    alias,
    action,
    actor: actor.kind,
    difference: difference === undefined ? null : JSON.stringify(difference),
  };
  return insertRow(tx, 'changes', change);
}

/** A member is absent from `before` or `after` if the entity had or has no such member. */
function findDifference(before: Members, after: Members): object {
  const names = Object.keys({ ...before, ...after }).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(names.map((name) => [name, pickDifferent(before[name], after[name])]));
}

/** Of two maps, such as levels, keeps only the entries that differ. */
function pickDifferent(before: unknown, after: unknown): { readonly before: unknown; readonly after: unknown } {
  if (!isMap(before) || !isMap(after)) return { before, after };
  const pick = (from: Members, other: Members) =>
    Object.fromEntries(Object.entries(from).filter(([name, value]) => !isDeepStrictEqual(value, other[name])));
  return { before: pick(before, after), after: pick(after, before) };
}

const isMap = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Locks the account to which the entity belongs, or the entity itself. Call this before validation, so that other writes cannot invalidate
 * the checks.
 * @param name the entity's alias or id; undefined to create an entity
 * @param members the request's members, not yet validated
 */
async function lockOwner(
  tx: WriteScope['tx'],
  collection: Collection,
  name: string | undefined,
  members: Members,
  lockedId?: string,
): Promise<void> {
  if (getEngine(tx) !== 'postgres') return;
  const current = name === undefined ? undefined : await findEntity(tx, collection, name);
  const hasAccount = 'account' in getEntityType(collection).references;
  const account = (current?.entity as Members | undefined)?.account ?? members.account;
  const owner = !hasAccount ? current : typeof account === 'string' ? await findEntity(tx, 'accounts', account) : undefined;
  if (!owner || owner.id === lockedId) return;
  await sql`select 1 from ${sql.table(COLLECTION_TABLES[hasAccount ? 'accounts' : collection])} where id = ${owner.id} for update`.execute(
    tx,
  );
  // Another writer may have recreated the entity in another account before the lock. That account needs a lock too.
  await lockOwner(tx, collection, name, members, owner.id);
}

async function saveRows<C extends Collection>(
  scope: WriteScope,
  collection: C,
  next: EntityToStore<C>,
  current: StoredEntity<C> | undefined,
): Promise<void> {
  const { tx } = scope;
  const { writes, parts } = getEntityType(collection);
  await checkValuesAreFree(tx, collection, next);
  // The cast is safe, because all entity tables have the id and the alias, the only columns used below.
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

async function checkValuesAreFree(
  tx: WriteScope['tx'],
  collection: Collection,
  { id, row, parts: ownParts }: EntityToStore,
): Promise<void> {
  const { parts, unique = [] } = getEntityType(collection);
  const table = sql.table(COLLECTION_TABLES[collection]);
  for (const { columns, ofParts, getPath, createMessage } of unique) {
    const [from, owner] = ofParts ? [sql.table(parts!.table), sql.ref(`u.${getForeignKey(collection)}`)] : [table, sql.ref('u.id')];
    for (const [index, values] of ((ofParts ? ownParts : [row]) as Members[]).entries()) {
      const equalColumns = columns.map((column) => sql`${sql.ref(`u.${column}`)} = ${values[column]}`);
      const { rows } = await sql<{ alias: string }>`
        select m.alias from ${from} as u join ${table} as m on m.id = ${owner}
        where ${sql.join(equalColumns, sql` and `)} and m.id <> ${id}`.execute(tx);
      if (rows[0]) throwConflict(toPointer(getPath(index)), createMessage(values, rows[0].alias));
    }
  }
}

const MAX_NAMED_REFERRERS = 3;

async function checkNotReferenced(tx: WriteScope['tx'], collection: Collection, { alias, id }: StoredEntity): Promise<void> {
  const referring: string[] = [];
  for (const other of COLLECTIONS) {
    if (!Object.values(getEntityType(other).references).includes(collection)) continue;
    const { rows } = await sql<{ alias: string }>`
      select alias from ${sql.table(COLLECTION_TABLES[other])} where ${sql.ref(getForeignKey(collection))} = ${id} order by alias limit ${MAX_NAMED_REFERRERS}`.execute(
      tx,
    );
    if (rows.length > 0) referring.push(`the ${other} ${rows.map((row) => `"${row.alias}"`).join(', ')}`);
  }
  if (referring.length === 0) return;
  throwFailure('conflict', `The ${SINGULAR_NOUNS[collection]} "${alias}" is still used by ${referring.join(' and ')}. Delete them first.`);
}
