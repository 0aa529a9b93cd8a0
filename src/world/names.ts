import { sql } from 'kysely';
import type { Executor } from '../store/engine.ts';
import type { Collection } from './world.ts';

export interface EntityName {
  readonly collection: Collection;
  readonly alias: string;
  /** What people call the entity: a connection has the names of its account and Experience, an assignment those of its target and Experience. */
  readonly name: string;
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** @returns the names, by id, of all existing entities whose ids the text contains */
export async function findNames(db: Executor, text: string): Promise<Readonly<Record<string, EntityName>>> {
  const ids = [...new Set(text.match(UUIDS))];
  if (ids.length === 0) return {};
  const named = (['providers', 'experiences', 'accounts', 'principals', 'clients'] as const).map(
    (table) => sql`select ${sql.lit(table)} as collection, id, alias, name from ${sql.table(table)}`,
  );
  const { rows } = await sql<EntityName & { readonly id: string }>`
    select * from (
      ${sql.join(named, sql` union all `)}
      union all select 'subscriptions', id, alias, alias from subscriptions
      union all select 'users', id, alias, first_name || ' ' || last_name from users
      union all select 'connections', m.id, m.alias, account.name || ' – ' || experience.name from connections m
        join accounts account on account.id = m.account_id join experiences experience on experience.id = m.experience_id
      union all select 'assignments', m.id, m.alias,
        case m.target_type when 'ACCOUNT' then account.name when 'USER' then "user".first_name || ' ' || "user".last_name
          else m.target_value end || ' – ' || experience.name
        from assignments m join accounts account on account.id = m.account_id join experiences experience on experience.id = m.experience_id
        left join users "user" on "user".id = m.target_value
    ) entities where id in (${sql.join(ids)})`.execute(db);
  return Object.fromEntries(rows.map(({ id, collection, alias, name }) => [id, { collection, alias, name: name.trim() || alias }]));
}
