import type { Engine } from './engine.ts';
import { type Column, type Tables, tables } from './schema.ts';

type MigrationSql = string | Readonly<Partial<Record<Engine, string>>>;

export type Migrations = Readonly<Record<string, MigrationSql>>;

/**
 * The keys and indexes of each table. The text after the columns is the rest of the index's name, and its condition. Every reference is the
 * beginning of an index.
 */
const KEYS: Readonly<Partial<Record<keyof Tables, readonly string[]>>> = {
  experiences: ['index provider_id'],
  experience_grants: ['primary key provider_id,experience_id', 'index experience_id'],
  clients: ['index provider_id'],
  telephone_numbers: ['index account_id'],
  users: ['index account_id,alias'],
  native_user_ids: ['primary key native_id,style', 'index user_id'],
  user_list: [
    'index account_id,created_at,user_id',
    'index account_id,updated_at,user_id',
    'index account_id,first_name,user_id',
    'index account_id,last_name,user_id',
    'index user_id,visible_until',
    'index visible_until',
  ],
  // The index contains every column that the sum of a count needs, so that PostgreSQL and SQLite do not read the table.
  user_counts: ['index account_id,due_at,delta'],
  principals: ['unique index telephone_number'],
  account_grants: ['primary key principal_id,account_id', 'index account_id'],
  assignments: [
    'unique experience_id,target_type,target_value',
    'index account_id,experience_id,id',
    'index account_id,target_type,id',
    'index account_id,experience_id,target_type,id',
    'index target_type,target_value,id',
  ],
  connections: ['unique account_id,experience_id', 'index account_id,id', 'index experience_id'],
  oauth_assertions: ['index expires_at'],
  oauth_revocations: ['index revoked_at'],
  oauth_artifacts: ['primary key kind,id', 'index grant_id', 'index expires_at'],
  events: ['index entity_id'],
  subscriptions: ['index provider_id', 'index experience_id'],
  deliveries: [
    'unique subscription_id,event_id',
    'index event_id',
    // These indexes contain only few deliveries, so that updates are fast.
    "index due_at:pending where state = 'pending'",
    "index subscription_id,due_at,id:first where state = 'pending' and attempts = 0",
    "index subscription_id,due_at,id:repeat where state = 'pending' and attempts > 0",
    "index subscription_id,id:held where state = 'held'",
    // Finds the ended deliveries of old events without reading their pending ones (events/history.ts).
    "index event_id:ended where state in ('acknowledged', 'exhausted')",
  ],
  delivery_attempts: ['index delivery_id'],
  inbox: ['index delivery_id', 'index subscription_id'],
  changes: ['index entity_id', 'index alias'],
};

/** SQLite's index contains every column that a page of assignments reads, which avoids reading the table. */
const SQLITE_TABLES = 'create index "assignments:account_id,id" on assignments (account_id, id, experience_id, json);';

const POSTGRES_TABLES = `
-- Without the columns that a page reads, because an index row may have at most 2704 bytes.
create index "assignments:account_id,id" on assignments (account_id, id);

-- The rate windows that replicas share. Unlogged, because they last a second and need not survive a crash.
create unlogged table rate_windows (
  load text not null,
  credential text not null,
  at double precision not null,
  free_at double precision[] not null,
  passed integer not null,
  used_at timestamptz not null,
  constraint "rate_windows:load,credential" primary key (load, credential)
);

-- The journal that replicas share. \`position\` is 1024 times the id of the inserting transaction, plus the entry's index. The content is
-- not compressed, because most entries are removed unread.
create table journal_entries (
  position bigint not null constraint "journal_entries:position" primary key,
  recorded_at instant not null,
  trace_id text not null,
  content json not null
);
alter table journal_entries alter column content set storage external;
alter table journal_entries set (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);
create index "journal_entries:trace_id" on journal_entries (trace_id);
create table journal (run text not null, salt text not null, removed bigint not null);
insert into journal (run, salt, removed) values (gen_random_uuid(), gen_random_uuid(), 0);`;

/**
 * The worlds besides the first one (postgres/world-records.ts). Only the first world's schema has rows. A world without a name has ended, and
 * its schema is being removed.
 */
const WORLDS_TABLE = `create table worlds (
  schema text not null constraint "worlds:schema" primary key,
  name text constraint "worlds:name" unique,
  source text not null,
  label text,
  seed text not null,
  decisions text not null,
  world text not null,
  created_at instant not null,
  used_at instant not null,
  idle_timeout instant not null
);`;

/** Constraint names must have the format `table:column,column` (see `findUniqueViolation`). */
function describeTable(table: keyof Tables): string {
  const nameConstraint = (column: string, constraint: string, other?: string) =>
    `constraint "${table}:${column}${other === undefined ? '' : `>${other}`}" ${constraint}`;
  const columns = Object.entries<Column<unknown>>(tables[table]).flatMap(([column, { sql, since }]) => {
    if (since !== undefined) return [];
    const named = sql.replace(/primary key|unique|references (\w+)/, (constraint, other) => nameConstraint(column, constraint, other));
    return [`${column} ${named}`];
  });
  const constraints: string[] = [];
  const indexes: string[] = [];
  for (const key of KEYS[table] ?? []) {
    const [, kind, names, suffix = '', condition = ''] = /^([a-z ]+) ([\w,]+)(:\w+)?( where .*)?$/.exec(key)!;
    if (kind!.endsWith('index')) indexes.push(`create ${kind} "${table}:${names}${suffix}" on ${table} (${names})${condition};`);
    else constraints.push(`${nameConstraint(names!, kind!)} (${names})`);
  }
  return [`create table ${table} (${[...columns, ...constraints].join(', ')}) strict;`, ...indexes].join('\n');
}

const FIRST_TABLES = (Object.keys(tables) as (keyof Tables)[]).map(describeTable).join('\n');

/** The migrations before the first release. Databases contain their names, so the names remain. */
const UNRELEASED = [
  ...['0001-world', '0002-authorization', '0003-deliveries', '0004-snapshots', '0005-delivery-modes', '0006-delivery-headers'],
  ...['0007-pending-deliveries', '0008-subscription-modes', '0009-users-of-account', '0010-faults', '0011-rate-windows'],
  ...['0012-journal', '0013-actors', '0014-assignment-pages'],
];

/** Never change a released migration's name or SQL. */
export const migrations: Migrations = {
  ...Object.fromEntries(UNRELEASED.map((name) => [name, ''])),
  // All tables of the first release. A database of an earlier version is refused, because it already contains some of them.
  '0015-ended-deliveries': { sqlite: `${FIRST_TABLES}\n${SQLITE_TABLES}`, postgres: `${FIRST_TABLES}\n${POSTGRES_TABLES}` },
  '0016-change-differences': 'alter table changes add column difference text;',
  '0017-worlds': { postgres: WORLDS_TABLE },
};
