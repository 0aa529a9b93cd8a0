/**
 * The store's tables, each after the tables that it refers to. The types of rows, the first migration (migrations.ts) and the order in
 * which a world is written (world-tables.ts) follow from this description. `*_at` strings are ISO 8601 UTC. `*_at` and `visible_*` numbers
 * are kit time in milliseconds, unless a comment says wall time. A grant's level is 1 (read) or 2 (manage). Without access, there is no
 * grant row.
 */

export type Level = 1 | 2;
type ExperienceType = 'AGENT' | 'GENERAL';
export type TargetType = 'ACCOUNT' | 'PHONE_NUMBER' | 'USER';
export type ConnectionState = 'ACTIVE' | 'INACTIVE';
/** Whether a principal gives consent if no login page is shown. */
export type Consent = 'gives' | 'declines';
/** `exhausted`: no further attempt is planned. `held`: waits until an operator releases it. */
export type DeliveryState = 'pending' | 'acknowledged' | 'exhausted' | 'held';

/** A column's SQL, without the name. `Value` is the type of its values. */
export interface Column<Value> {
  readonly sql: string;
  /** The migration that adds the column, if the first migration does not create it. */
  readonly since?: string;
  readonly value?: Value;
}

const TEXT: Column<string> = { sql: 'text not null' };
const OPTIONAL_TEXT: Column<string | null> = { sql: 'text' };
const INTEGER: Column<number> = { sql: 'integer not null' };
const OPTIONAL_INTEGER: Column<number | null> = { sql: 'integer' };
const INSTANT: Column<number> = { sql: 'instant not null' };
const OPTIONAL_INSTANT: Column<number | null> = { sql: 'instant' };
const KEY = add(TEXT, 'primary key');
const LEVEL = INTEGER as Column<Level>;

/** Entities are not deleted by cascade, because every deletion must cause an event. */
const ownedBy = (table: string) => add(TEXT, `references ${table} (id) on delete restrict`);
/** For rows without events of their own, such as grants. */
const partOf = (table: string) => add(TEXT, `references ${table} (id) on delete cascade`);

function add<Value>({ sql }: Column<Value>, constraint: string): Column<Value> {
  return { sql: `${sql} ${constraint}` };
}

/** The alias names an entity in its world. Default: the id or telephone number. */
const ENTITY = { id: KEY, alias: add(TEXT, 'unique') };
/** Absent values are ''. */
const USER = { first_name: TEXT, last_name: TEXT, created_at: TEXT, updated_at: TEXT, json: TEXT };

export const tables = {
  meta: { key: KEY, value: TEXT },
  providers: { ...ENTITY, name: TEXT },
  experiences: { ...ENTITY, provider_id: ownedBy('providers'), name: TEXT, type: TEXT as Column<ExperienceType> },
  experience_grants: { provider_id: partOf('providers'), experience_id: partOf('experiences'), level: LEVEL },
  accounts: { ...ENTITY, name: TEXT },
  telephone_numbers: { number: KEY, account_id: ownedBy('accounts') },
  users: { ...ENTITY, account_id: ownedBy('accounts'), ...USER },
  // Two users can have the same native id in different styles. A decision says which style is looked up first.
  native_user_ids: { native_id: TEXT, style: TEXT as Column<'base62' | 'legacy-numeric' | 'unsupported'>, user_id: partOf('users') },
  // The users list's read model: versions of users, each visible for some time. The table has no primary key, because after two changes
  // within a millisecond, two versions of a user are visible from the same instant.
  user_list: { user_id: TEXT, account_id: TEXT, ...USER, visible_from: INSTANT, visible_until: INSTANT },
  // An account's number of users at kit time t is the sum of `delta` with `due_at <= t`.
  user_counts: { account_id: TEXT, due_at: INSTANT, delta: INTEGER },
  principals: { ...ENTITY, name: TEXT, telephone_number: OPTIONAL_TEXT, consent: add(TEXT, "default 'gives'") as Column<Consent> },
  account_grants: { principal_id: partOf('principals'), account_id: partOf('accounts'), level: LEVEL },
  clients: { ...ENTITY, provider_id: ownedBy('providers'), name: TEXT, settings: TEXT },
  assignments: {
    ...ENTITY,
    experience_id: ownedBy('experiences'),
    account_id: ownedBy('accounts'),
    target_type: TEXT as Column<TargetType>,
    target_value: TEXT,
    /** The telephone number, if it is assigned to an AGENT Experience. */
    agent_number: add(OPTIONAL_TEXT, 'unique'),
    updated_at: TEXT,
    /** The entity's JSON text in API responses. List pages concatenate these texts. */
    json: TEXT,
  },
  connections: {
    ...ENTITY,
    account_id: ownedBy('accounts'),
    experience_id: ownedBy('experiences'),
    state: TEXT as Column<ConnectionState>,
    updated_at: TEXT,
  },
  /** Used client assertions. `expires_at` is wall time, in milliseconds. */
  oauth_assertions: { id: KEY, expires_at: INSTANT },
  /** Revoked grants, whose access tokens are refused. */
  oauth_revocations: { grant_id: KEY, revoked_at: INSTANT },
  /** The authorization server's artifacts, such as codes. */
  oauth_artifacts: {
    kind: TEXT,
    id: TEXT,
    grant_id: OPTIONAL_TEXT,
    payload: TEXT,
    expires_at: INSTANT,
    consumed_at: OPTIONAL_INSTANT,
  },
  events: {
    id: KEY,
    type: TEXT,
    timestamp: TEXT,
    provider_id: TEXT,
    experience_id: TEXT,
    entity_id: TEXT,
    data: TEXT,
    /** Null if an operator sent the event directly, or if an earlier kit version stored it. */
    actor: OPTIONAL_TEXT as Column<'provider' | 'portal' | 'platform' | null>,
  },
  // After `events`, because writers also lock these tables in this order, and another order could cause deadlocks.
  subscriptions: {
    ...ENTITY,
    provider_id: ownedBy('providers'),
    experience_id: add(OPTIONAL_TEXT, 'references experiences (id) on delete restrict'),
    types: TEXT,
    destination_url: OPTIONAL_TEXT,
    /** Null only in rows from an earlier kit version. */
    secret: OPTIONAL_TEXT,
    /** A delivery mode as JSON, or null. */
    mode: OPTIONAL_TEXT,
    /** The number of reordered deliveries. */
    reorder_ordinal: OPTIONAL_INTEGER,
    reorder_opened_at: OPTIONAL_INSTANT,
  },
  /** The outbox: a row per event and subscription. */
  deliveries: {
    id: KEY,
    event_id: partOf('events'),
    subscription_id: TEXT,
    body: TEXT,
    created_at: TEXT,
    state: add(TEXT, "default 'pending'") as Column<DeliveryState>,
    /** The number of attempts that have ended. */
    attempts: add(INTEGER, 'default 0'),
    due_at: add(INSTANT, 'default 0'),
    /** Results are stored only while the claim is unchanged. */
    claim: OPTIONAL_TEXT,
    /** The wall time, in milliseconds, after which another replica may claim the delivery. */
    claimed_until: OPTIONAL_INSTANT,
    /** The headers that an operator added, as a JSON object with names in lower case, or null. */
    headers: OPTIONAL_TEXT,
  },
  delivery_attempts: {
    id: KEY,
    delivery_id: partOf('deliveries'),
    number: INTEGER,
    at: TEXT,
    duration_ms: INTEGER,
    status: OPTIONAL_INTEGER,
    error: OPTIONAL_TEXT,
    next_at: OPTIONAL_TEXT,
  },
  /** The inbox: the deliveries to subscriptions without a destination. */
  inbox: {
    id: KEY,
    delivery_id: partOf('deliveries'),
    subscription_id: TEXT,
    received_at: TEXT,
    headers: TEXT,
    body: TEXT,
  },
  /** Operators' changes to entities. Changes to assignments and connections are stored in `events` instead. */
  changes: {
    id: KEY,
    /** Kit time, ISO 8601 UTC. */
    at: TEXT,
    collection: TEXT,
    entity_id: TEXT,
    alias: TEXT,
    action: TEXT as Column<'created' | 'changed' | 'deleted'>,
    actor: TEXT as Column<'portal' | 'platform'>,
    /** For `changed`: a JSON object with the value before and after, by member. Null in rows from an earlier kit version. */
    difference: { ...OPTIONAL_TEXT, since: '0016-change-differences' },
  },
  /**
   * Saved worlds. `entities` contains the number of entities per collection, and `content` all rows. Both are JSON. There are no foreign
   * keys, so loading a world keeps the snapshots.
   */
  snapshots: { name: KEY, saved_at: TEXT, world: TEXT, entities: TEXT, content: TEXT },
  /** `fault` is JSON without the id. `seen` counts matching requests. A removed fault's number is not reused. */
  faults: { number: { sql: 'integer primary key autoincrement' } as Column<number>, fault: TEXT, seen: INTEGER },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Column<unknown>>>>>;

type RowOf<Columns> = { [C in keyof Columns]: Columns[C] extends Column<infer Value> ? Value : never };

export type Tables = { [T in keyof typeof tables]: RowOf<(typeof tables)[T]> };
