import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../store/engine.ts';
import { COLLECTIONS } from './entities.ts';
import type { Collection } from './world.ts';

export interface EntityName {
  readonly collection: Collection;
  readonly alias: string;
  /** What people call the entity: a connection has the names of its account and Experience, an assignment those of its target and Experience, a subscription without an alias its URL. */
  readonly name: string;
}

/** By id, or by number for telephone numbers, which have no id. */
export type Names = Readonly<Record<string, EntityName>>;

const selectNamed = (table: string) => sql`select id, alias, name from ${sql.table(table)}`;
const SOURCES: Readonly<Record<Collection, RawBuilder<unknown>>> = {
  providers: selectNamed('providers'),
  experiences: selectNamed('experiences'),
  accounts: selectNamed('accounts'),
  principals: selectNamed('principals'),
  clients: selectNamed('clients'),
  subscriptions: sql`
    select id, alias, case when alias <> id then alias else coalesce(destination_url, 'the inbox of the kit') end as name from subscriptions`,
  telephoneNumbers: sql`select number as id, number as alias, number as name from telephone_numbers`,
  users: sql`select id, alias, trim(first_name || ' ' || last_name) as name from users`,
  connections: sql`
    select m.id, m.alias, account.name || ' – ' || experience.name as name from connections m
      join accounts account on account.id = m.account_id join experiences experience on experience.id = m.experience_id`,
  assignments: sql`
    select m.id, m.alias,
      case m.target_type when 'ACCOUNT' then account.name when 'USER' then "user".first_name || ' ' || "user".last_name
        else m.target_value end || ' – ' || experience.name as name
      from assignments m join accounts account on account.id = m.account_id join experiences experience on experience.id = m.experience_id
      left join users "user" on "user".id = m.target_value`,
};

async function select(db: Executor, collections: readonly Collection[], where: RawBuilder<unknown>, limit?: number): Promise<Names> {
  const end = limit === undefined ? sql`` : sql`order by alias limit ${sql.lit(limit)}`;
  const selects = collections.map(
    (collection) =>
      sql`select * from (select ${sql.lit(collection)} as collection, e.* from (${SOURCES[collection]}) e where ${where} ${end}) found`,
  );
  const { rows } = await sql<EntityName & { readonly id: string }>`${sql.join(selects, sql` union all `)}`.execute(db);
  return Object.fromEntries(rows.map(({ id, collection, alias, name }) => [id, { collection, alias, name: name.trim() || alias }]));
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const IDENTIFIED = COLLECTIONS.filter((collection) => collection !== 'telephoneNumbers');
const PATHS = new RegExp(`\\b(${IDENTIFIED.join('|')})/([^\\s/?#]+)`, 'g');

/**
 * @param text contains ids, or collections with aliases, such as `users/ada`
 * @returns the names, by id and by collection with alias, of all existing entities in the text
 */
export async function findNames(db: Executor, text: string): Promise<Names> {
  const ids = [...new Set(text.match(UUIDS))];
  const byId = ids.length === 0 ? {} : await select(db, IDENTIFIED, sql`id in (${sql.join(ids)})`);
  const paths = Map.groupBy(text.matchAll(PATHS), ([, collection]) => collection as Collection);
  const byPath: Record<string, EntityName> = {};
  for (const [collection, matches] of paths) {
    const aliases = [...new Set(matches.map(([, , alias = '']) => decode(alias)))];
    for (const named of Object.values(await select(db, [collection], sql`alias in (${sql.join(aliases)})`)))
      byPath[`${collection}/${encodeURIComponent(named.alias)}`] = named;
  }
  return { ...byId, ...byPath };
}

/** PostgreSQL rejects NUL characters, and no alias has one. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll('\0', '');
  } catch {
    return text;
  }
}

/** Whether the alias or name contains the text, in any letter case. */
function containsText(text: string): RawBuilder<unknown> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&').replaceAll('\0', '')}%`;
  return sql`lower(alias || ' ' || name) like lower(${pattern}) escape '\\'`;
}

/** Finds at most `limit` entities of each collection that have this id, or whose alias or name contains the text, in any letter case. */
export function searchNames(db: Executor, text: string, limit: number, collections: readonly Collection[] = COLLECTIONS): Promise<Names> {
  return select(db, collections, sql`(${containsText(text)} or id = ${text.toLowerCase().replaceAll('\0', '')})`, limit);
}

/** A query for the ids of the entities whose alias or name contains the text. */
export const selectIdsBySearch = (collection: Collection, text: string): RawBuilder<unknown> =>
  sql`select id from (${SOURCES[collection]}) e where ${containsText(text)}`;

/** Finds the ids of at most ten entities with this name, in the same letter case. */
export async function findIdsByName(db: Executor, collection: Collection, name: string): Promise<readonly string[]> {
  return name.includes('\0') ? [] : Object.keys(await select(db, [collection], sql`name = ${name}`, 10));
}
