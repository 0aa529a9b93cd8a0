import { sql } from 'kysely';
import type { Executor } from '../../src/store/engine.ts';
import type { World } from '../../src/world/world.ts';

export interface KitSetup {
  /** The world contains a token for each client. */
  readonly clients: number;
  readonly assignments?: number;
  readonly users?: number;
  /** The number of unassigned telephone numbers in the account. Default: 0. */
  readonly numbers?: number;
  /** The number of additional subscriptions. Nothing publishes their events. Default: 0. */
  readonly subscriptions?: number;
  /** The URL for events about new assignments. If absent, the kit's inbox gets the events. */
  readonly destinationUrl?: string;
  /** The path of the world's SQLite file. If absent, the world is stored in memory. */
  readonly data?: string;
  readonly database?: string;
  /** The maximum requests per second that a client may send to the users operations. Default: 0, no limit. */
  readonly usersLimit?: number;
  /** The number of requests that the journal keeps. Default: 1000. */
  readonly journal?: number;
  /** Whether to count SQL statements. Counting makes the kit a little slower. */
  readonly countStatements?: boolean;
}

export const EXPERIENCE_ID = '0190f000-0000-7000-8000-000000000001';
export const ACCOUNT_ID = '0190f000-0000-7000-8000-000000000002';
export const NUMBER = '+12065550100';
/** The path and query of an assignability check. */
export const CHECK_PATH = `/experience/experiences/${EXPERIENCE_ID}/assignability?targetType=PHONE_NUMBER&targetValue=${encodeURIComponent(NUMBER)}`;
/** The first telephone number that `addNumbers` adds, without the +1. The next numbers are consecutive. */
export const FIRST_FREE_NUMBER = 3_000_000_000;

/** Returns a world with one entity of each kind, but many clients, because the limit for assignability checks applies to each client. */
export function createBenchWorld({ clients, subscriptions = 0, destinationUrl }: KitSetup): World {
  const names = Array.from({ length: clients }, (_, n) => `client-${n}`);
  return {
    world: 'bench',
    providers: { provider: { name: 'Bench Provider' } },
    experiences: { experience: { id: EXPERIENCE_ID, provider: 'provider', name: 'Bench Experience', type: 'AGENT' } },
    accounts: { account: { id: ACCOUNT_ID, name: 'Bench Account' } },
    telephoneNumbers: { [NUMBER]: { account: 'account' } },
    principals: { principal: { name: 'Bench Principal', accounts: { account: 'manage' } } },
    clients: Object.fromEntries(names.map((name) => [name, { provider: 'provider', name }])),
    // Because of the first subscription, the kit stores an event and a delivery for each new assignment.
    subscriptions: {
      subscription: { provider: 'provider', types: ['experience.assignment.created'], ...(destinationUrl && { destinationUrl }) },
      ...Object.fromEntries(
        Array.from({ length: subscriptions }, (_, n) => [`s${n}`, { provider: 'provider', types: ['provisioning.user.deleted'] as const }]),
      ),
    },
    tokens: Object.fromEntries(names.map((name) => [name, { client: name, principal: 'principal' }])),
  };
}

export async function addNumbers(db: Executor, count: number): Promise<void> {
  await sql`
    insert into telephone_numbers (number, account_id)
    ${createNumberSeries(count)} select '+1' || (${sql.lit(FIRST_FREE_NUMBER - 1)} + n), ${ACCOUNT_ID} from counting`.execute(db);
}

export async function addAssignments(db: Executor, count: number): Promise<void> {
  const members = sql`'{"id":"' || id || '","experienceId":"' || ${EXPERIENCE_ID} || '","accountId":"' || ${ACCOUNT_ID} || '","targetType":"USER"'
    || ',"targetValue":"' || target || '","updatedAt":"2026-01-01T00:00:00.000Z"}'`;
  await sql`
    insert into assignments (id, alias, experience_id, account_id, target_type, target_value, agent_number, updated_at, json)
    ${createNumberSeries(count)}, made as (
      select printf('0190f000-0000-7000-9000-%012x', n) as id, printf('0190f000-0000-7000-a000-%012x', n) as target from counting
    )
    select id, id, ${EXPERIENCE_ID}, ${ACCOUNT_ID}, 'USER', target, null, '2026-01-01T00:00:00.000Z', ${members} from made`.execute(db);
}

export async function addUsers(db: Executor, count: number): Promise<void> {
  const members = sql`'{"id":"' || id || '","accountId":"' || ${ACCOUNT_ID} || '","firstName":"Ada","lastName":"' || last || '","createdAt":"' || created
    || '","updatedAt":null}'`;
  await sql`
    insert into user_list (user_id, account_id, first_name, last_name, created_at, updated_at, json, visible_from, visible_until)
    ${createNumberSeries(count)}, made as (
      select printf('0190f000-0000-7000-a000-%012x', n) as id, printf('L%07d', n) as last,
        strftime('%Y-%m-%dT%H:%M:%fZ', 1735689600 + n / 1000.0, 'unixepoch') as created
      from counting
    )
    select id, ${ACCOUNT_ID}, 'Ada', last, created, '', ${members}, 0, 9007199254740991 from made`.execute(db);
  await sql`
    insert into users (id, alias, account_id, first_name, last_name, created_at, updated_at, json)
    select user_id, user_id, account_id, first_name, last_name, created_at, updated_at, json from user_list where account_id = ${ACCOUNT_ID}`.execute(
    db,
  );
  await db.insertInto('user_counts').values({ account_id: ACCOUNT_ID, due_at: 0, delta: count }).execute();
}

function createNumberSeries(count: number) {
  return sql`with recursive counting(n) as (select 1 union all select n + 1 from counting where n < ${count})`;
}
