/**
 * The store's tables. `*_at` strings are ISO 8601 UTC. `*_at` and `visible_*` numbers are kit time in milliseconds, unless a comment says
 * wall time. A grant's level is 1 (read) or 2 (manage). Without access, there is no grant row.
 */

export type Level = 1 | 2;
export type ExperienceType = 'AGENT' | 'GENERAL';
export type TargetType = 'ACCOUNT' | 'PHONE_NUMBER' | 'USER';
export type ConnectionState = 'ACTIVE' | 'INACTIVE';
/** Whether a principal gives consent if no login page is shown. */
export type Consent = 'gives' | 'declines';
/** `exhausted`: no further attempt is planned. `held`: waits until an operator releases it. */
export type DeliveryState = 'pending' | 'acknowledged' | 'exhausted' | 'held';
export type NativeIdStyle = 'base62' | 'legacy-numeric' | 'unsupported';

/** The alias names an entity in its world. Default: the id or telephone number. */
export interface Aliased {
  alias: string;
}

export interface Tables {
  meta: { key: string; value: string };
  providers: Aliased & { id: string; name: string };
  experiences: Aliased & { id: string; provider_id: string; name: string; type: ExperienceType };
  experience_grants: { provider_id: string; experience_id: string; level: Level };
  accounts: Aliased & { id: string; name: string };
  telephone_numbers: { number: string; account_id: string };
  users: Aliased & UserColumns & { id: string };
  native_user_ids: { native_id: string; style: NativeIdStyle; user_id: string };
  /** The users list's read model: versions of users, each visible for some time. Absent values are ''. */
  user_list: UserColumns & { user_id: string; visible_from: number; visible_until: number };
  /** An account's number of users at kit time t is the sum of `delta` with `due_at <= t`. */
  user_counts: { account_id: string; due_at: number; delta: number };
  principals: Aliased & { id: string; name: string; telephone_number: string | null; consent: Consent };
  account_grants: { principal_id: string; account_id: string; level: Level };
  clients: Aliased & { id: string; provider_id: string; name: string; settings: string };
  assignments: Aliased & {
    id: string;
    experience_id: string;
    account_id: string;
    target_type: TargetType;
    target_value: string;
    /** The telephone number, if it is assigned to an AGENT Experience. Must be unique. */
    agent_number: string | null;
    updated_at: string;
    /** The entity's JSON text in API responses. List pages concatenate these texts. */
    json: string;
  };
  connections: Aliased & { id: string; account_id: string; experience_id: string; state: ConnectionState; updated_at: string };
  /**
   * `mode` is JSON, or null. `reorder_ordinal` counts reordered deliveries. `reorder_opened_at` is kit time. `secret` is null only in rows
   * from an earlier kit version.
   */
  subscriptions: Aliased & {
    id: string;
    provider_id: string;
    experience_id: string | null;
    types: string;
    destination_url: string | null;
    secret: string | null;
    mode: string | null;
    reorder_ordinal: number | null;
    reorder_opened_at: number | null;
  };
  /** `actor` is null if an operator sent the event directly, or if an earlier kit version stored it. */
  events: {
    id: string;
    type: string;
    timestamp: string;
    provider_id: string;
    experience_id: string;
    entity_id: string;
    data: string;
    actor: 'provider' | 'portal' | 'platform' | null;
  };
  /** Operators' changes to entities. Changes to assignments and connections are stored in `events` instead. */
  changes: {
    id: string;
    /** Kit time, ISO 8601 UTC. */
    at: string;
    collection: string;
    entity_id: string;
    alias: string;
    action: 'created' | 'changed' | 'deleted';
    actor: 'portal' | 'platform';
  };
  /** The outbox: a row per event and subscription. */
  deliveries: {
    id: string;
    event_id: string;
    subscription_id: string;
    body: string;
    /** The headers that an operator added, as a JSON object with names in lower case, or null. */
    headers: string | null;
    created_at: string;
    state: DeliveryState;
    /** The number of attempts that have ended. */
    attempts: number;
    due_at: number;
    /** Results are stored only while the claim is unchanged. */
    claim: string | null;
    /** The wall time, in milliseconds, after which another replica may claim the delivery. */
    claimed_until: number | null;
  };
  delivery_attempts: {
    id: string;
    delivery_id: string;
    number: number;
    at: string;
    duration_ms: number;
    status: number | null;
    error: string | null;
    next_at: string | null;
  };
  /** The inbox: the deliveries to subscriptions without a destination. */
  inbox: { id: string; delivery_id: string; subscription_id: string; received_at: string; headers: string; body: string };
  /** The authorization server's artifacts, such as codes. */
  oauth_artifacts: {
    kind: string;
    id: string;
    grant_id: string | null;
    payload: string;
    expires_at: number;
    consumed_at: number | null;
  };
  /** Revoked grants, whose access tokens are refused. */
  oauth_revocations: { grant_id: string; revoked_at: number };
  /** Used client assertions. `expires_at` is wall time, in milliseconds. */
  oauth_assertions: { id: string; expires_at: number };
  /** Saved worlds. `entities` contains the number of entities per collection, and `content` all rows. Both are JSON. */
  snapshots: { name: string; saved_at: string; world: string; entities: string; content: string };
  /** `fault` is JSON without the id. `seen` counts matching requests. */
  faults: { number: number; fault: string; seen: number };
}

export interface UserColumns {
  account_id: string;
  first_name: string;
  last_name: string;
  created_at: string;
  updated_at: string;
  json: string;
}
