/**
 * The tables of both engines: strings, integers, and JSON as a string.
 *
 * Instants in `*_at` columns of entities are the ISO 8601 UTC strings of the API. Instants that are only compared (`due_at`, `visible_*`) are kit time in
 * milliseconds since the Unix epoch, unless they are said to be wall time. A level is 1 (read) or 2 (manage); without a level there is no row.
 */

export type Level = 1 | 2;
export type ExperienceType = 'AGENT' | 'GENERAL';
export type TargetType = 'ACCOUNT' | 'PHONE_NUMBER' | 'USER';
export type ConnectionState = 'ACTIVE' | 'INACTIVE';
/** The response of a principal to an authorization request if no login page is shown. */
export type Consent = 'gives' | 'declines';
/** `exhausted`: the schedule has no further attempt. `held`: not sent before it is released. */
export type DeliveryState = 'pending' | 'acknowledged' | 'exhausted' | 'held';
export type NativeIdStyle = 'base62' | 'legacy-numeric' | 'unsupported';

/** The name of the entity in its world. By default, the id or the number. */
export interface Aliased {
  alias: string;
}

export interface Tables {
  /** Single values: name and version of the world, clock offset, keys. */
  meta: { key: string; value: string };
  providers: Aliased & { id: string; name: string };
  experiences: Aliased & { id: string; provider_id: string; name: string; type: ExperienceType };
  experience_grants: { provider_id: string; experience_id: string; level: Level };
  accounts: Aliased & { id: string; name: string };
  telephone_numbers: { number: string; account_id: string };
  users: Aliased & UserColumns & { id: string };
  native_user_ids: { native_id: string; style: NativeIdStyle; user_id: string };
  /** The read model of the users list: versions of a user, each visible for a span of kit time. Absent names and dates are ''. */
  user_list: UserColumns & { user_id: string; visible_from: number; visible_until: number };
  /** A ledger: the number of users of an account at kit time t is the sum of `delta` where `due_at <= t`. */
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
    /** The number if the Experience is of type AGENT and the target is a number, else null. Unique: a number has one AGENT. */
    agent_number: string | null;
    updated_at: string;
    /** The entity as the API shows it, so that a page can be concatenated. */
    json: string;
  };
  connections: Aliased & { id: string; account_id: string; experience_id: string; state: ConnectionState; updated_at: string };
  /**
   * `mode` is the delivery mode as JSON, or null. If it reorders first attempts, `reorder_ordinal` counts those it has moved, and `reorder_opened_at` is the
   * kit time at which the present window opened; else both are null. `secret` is null only in rows of earlier versions.
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
  /** The outbox. `data` is the payload of the event, frozen when it was published. */
  events: { id: string; type: string; timestamp: string; provider_id: string; experience_id: string; entity_id: string; data: string };
  /** The recipients of an event, frozen in the transaction that caused it. `body` is the envelope as it is sent. */
  deliveries: {
    id: string;
    event_id: string;
    subscription_id: string;
    body: string;
    /** The additional headers of a payload made by the operator: a JSON object with names in lower case. */
    headers: string | null;
    created_at: string;
    state: DeliveryState;
    /** How many attempts have ended. */
    attempts: number;
    /** Kit time, in milliseconds since the Unix epoch, of the next attempt. */
    due_at: number;
    /** The id of the claim of the present attempt. An attempt that has lost its claim must not store its result. */
    claim: string | null;
    /** Wall time, in milliseconds since the Unix epoch, when another replica may make the attempt. */
    claimed_until: number | null;
  };
  /** The result of each attempt: a status, or an error message. */
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
  /** Deliveries of subscriptions without a destination. */
  inbox: { id: string; delivery_id: string; subscription_id: string; received_at: string; headers: string; body: string };
  /** Interactions, grants, codes and refresh tokens of the authorization server. Instants are kit time. */
  oauth_artifacts: {
    kind: string;
    id: string;
    grant_id: string | null;
    payload: string;
    expires_at: number;
    /** When it was consumed, or null. */
    consumed_at: number | null;
  };
  /** Grants whose access tokens are refused before they expire. */
  oauth_revocations: { grant_id: string; revoked_at: number };
  /** Used client assertions. `expires_at` is wall time, in milliseconds since the Unix epoch. */
  oauth_assertions: { id: string; expires_at: number };
  /**
   * Worlds that were saved by name. They are not part of a world and survive every load. `saved_at` is kit time, ISO 8601 UTC. `entities` (the number of
   * entities in each collection) and `content` (the rows of every table) are JSON.
   */
  snapshots: { name: string; saved_at: string; world: string; entities: string; content: string };
}

export interface UserColumns {
  account_id: string;
  first_name: string;
  last_name: string;
  created_at: string;
  updated_at: string;
  json: string;
}
