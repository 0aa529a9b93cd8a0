/**
 * The store's tables, which are the same on both engines. A column contains a string, an integer, or JSON as a string. `*_at` columns of
 * type string are ISO 8601 UTC, as in the API. `*_at` and `visible_*` columns of type number are kit time in milliseconds since the Unix
 * epoch, unless a comment says wall time. A grant's level is 1 (read) or 2 (manage). A principal or provider without access has no grant
 * row.
 */

export type Level = 1 | 2;
export type ExperienceType = 'AGENT' | 'GENERAL';
export type TargetType = 'ACCOUNT' | 'PHONE_NUMBER' | 'USER';
export type ConnectionState = 'ACTIVE' | 'INACTIVE';
/** A principal's response to an authorization request if no login page is shown. */
export type Consent = 'gives' | 'declines';
/** `exhausted`: the retry schedule has no further attempt. `held`: the delivery is not sent before an operator releases it. */
export type DeliveryState = 'pending' | 'acknowledged' | 'exhausted' | 'held';
export type NativeIdStyle = 'base62' | 'legacy-numeric' | 'unsupported';

/** The alias is an entity's name in its world. By default, the alias is the entity's id or telephone number. */
export interface Aliased {
  alias: string;
}

export interface Tables {
  /** Single values by key, such as the world's name, the world's version, and the clock offset. */
  meta: { key: string; value: string };
  providers: Aliased & { id: string; name: string };
  experiences: Aliased & { id: string; provider_id: string; name: string; type: ExperienceType };
  experience_grants: { provider_id: string; experience_id: string; level: Level };
  accounts: Aliased & { id: string; name: string };
  telephone_numbers: { number: string; account_id: string };
  users: Aliased & UserColumns & { id: string };
  native_user_ids: { native_id: string; style: NativeIdStyle; user_id: string };
  /** The read model of the users list: versions of users, each visible for a period of kit time. An absent name or date is ''. */
  user_list: UserColumns & { user_id: string; visible_from: number; visible_until: number };
  /** A ledger. The number of an account's users at kit time t is the sum of `delta` over the rows with `due_at <= t`. */
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
    /**
     * The telephone number, if the assignment assigns a telephone number to an AGENT Experience; otherwise null. A unique constraint allows
     * only one such assignment for each number.
     */
    agent_number: string | null;
    updated_at: string;
    /** The entity as JSON text, as in API responses. A list page is a concatenation of these texts. */
    json: string;
  };
  connections: Aliased & { id: string; account_id: string; experience_id: string; state: ConnectionState; updated_at: string };
  /**
   * `mode` is the delivery mode as JSON, or null. `reorder_ordinal` is the number of deliveries that the mode has reordered.
   * `reorder_opened_at` is the kit time at which the current window opened. Both are null if the mode does not reorder deliveries. `secret`
   * is null only in rows from an earlier kit version.
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
  /** The published events. `data` is the payload at the time of publication. `actor` is null for a payload that an operator sent. */
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
  /** The changes made through the control API, except changes to connections and assignments, which are events. */
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
  /**
   * The outbox: a row for each pair of an event and a subscription. The transaction that caused the event writes the row. `body` is the
   * request body.
   */
  deliveries: {
    id: string;
    event_id: string;
    subscription_id: string;
    body: string;
    /** The headers that an operator has added to this delivery, as a JSON object with names in lower case; null without added headers. */
    headers: string | null;
    created_at: string;
    state: DeliveryState;
    /** The number of attempts that have ended. */
    attempts: number;
    /** The kit time of the next attempt, in milliseconds since the Unix epoch. */
    due_at: number;
    /** The id of the current attempt's claim. An attempt's result is stored only if the delivery still has the attempt's claim. */
    claim: string | null;
    /**
     * The wall time at which the claim expires, in milliseconds since the Unix epoch. After this time, another replica may claim the
     * delivery.
     */
    claimed_until: number | null;
  };
  /** The result of each delivery attempt: a status, or an error message. */
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
  /** The authorization server's interactions, grants, codes and refresh tokens. All times are kit time. */
  oauth_artifacts: {
    kind: string;
    id: string;
    grant_id: string | null;
    payload: string;
    expires_at: number;
    /** The kit time at which the artifact was consumed; null if the artifact was not consumed. */
    consumed_at: number | null;
  };
  /** Revoked grants. A revoked grant's access tokens are refused even before they expire. `revoked_at` is kit time. */
  oauth_revocations: { grant_id: string; revoked_at: number };
  /** Used client assertions. `expires_at` is wall time, in milliseconds since the Unix epoch. */
  oauth_assertions: { id: string; expires_at: number };
  /**
   * Saved worlds. Snapshots are not part of a world, so snapshots remain when another world is loaded. `saved_at` is kit time. `entities`
   * (the number of entities in each collection) and `content` (every table's rows) are JSON.
   */
  snapshots: { name: string; saved_at: string; world: string; entities: string; content: string };
  /**
   * The active faults. They are not part of a world. `fault` is the fault without its id, as JSON. `seen` is the number of requests that
   * matched the fault and were counted.
   */
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
