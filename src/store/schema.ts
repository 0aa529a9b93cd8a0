/**
 * The tables, as Kysely sees them. One description for both engines: text, integers and JSON kept as text, no engine's own types.
 *
 * Instants in `*_at` columns of entities are the ISO 8601 UTC text that the API shows; instants that are only compared (`due_at`, `visible_*`)
 * are kit time in milliseconds since the Unix epoch, but where it says wall time. A level is 1 (read) or 2 (manage); none is the absence of a row.
 */

export type Level = 1 | 2;
export type ExperienceType = 'AGENT' | 'GENERAL';
export type TargetType = 'ACCOUNT' | 'PHONE_NUMBER' | 'USER';
export type ConnectionState = 'ACTIVE' | 'INACTIVE';
/** What a principal answers to an authorization request where nobody is asked. */
export type Consent = 'gives' | 'declines';
/** `exhausted`: the schedule has no further attempt. `held`: not before it is released. */
export type DeliveryState = 'pending' | 'acknowledged' | 'exhausted' | 'held';
export type NativeIdStyle = 'base62' | 'legacy-numeric' | 'unsupported';

/** Every entity keeps the name its world gave it; one that was made at run time has its id (or number) here. */
export interface Aliased {
  alias: string;
}

export interface Tables {
  /** Small values of the whole store: schema of the world, clock offset, reset epoch, keys. */
  meta: { key: string; value: string };
  providers: Aliased & { id: string; name: string };
  experiences: Aliased & { id: string; provider_id: string; name: string; type: ExperienceType };
  experience_grants: { provider_id: string; experience_id: string; level: Level };
  accounts: Aliased & { id: string; name: string };
  telephone_numbers: { number: string; account_id: string };
  users: Aliased & UserColumns & { id: string };
  native_user_ids: { native_id: string; style: NativeIdStyle; user_id: string };
  /** The read model of the users list: versions of a user, each visible for a span of kit time. Absent names and dates sort as ''. */
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
    /** The number, where the Experience is of type AGENT and the target a number; else null. Unique: one AGENT a number. */
    agent_number: string | null;
    updated_at: string;
    /** The entity as the API shows it, so that a page is a join of texts. */
    json: string;
  };
  connections: Aliased & { id: string; account_id: string; experience_id: string; state: ConnectionState; updated_at: string };
  /**
   * `mode` is the delivery mode as JSON; null where there is none. Where the mode reorders first attempts, `reorder_ordinal` counts those it has moved and
   * `reorder_opened_at` is the kit time at which the present window opened; else both are null. `secret` is null only in rows of earlier versions.
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
  /** The outbox. `data` is the event's payload, frozen when it happened. */
  events: { id: string; type: string; timestamp: string; provider_id: string; experience_id: string; entity_id: string; data: string };
  /** Who gets an event, frozen in the transaction that caused it. `body` is the envelope as it will be sent. */
  deliveries: {
    id: string;
    event_id: string;
    subscription_id: string;
    body: string;
    /** Those of a payload that was made up, beside those of every delivery: a JSON object, its names in lower case. */
    headers: string | null;
    created_at: string;
    state: DeliveryState;
    /** How many attempts have ended. */
    attempts: number;
    /** Kit time, in milliseconds since the Unix epoch, from which on it may be sent. */
    due_at: number;
    /** Who makes an attempt at present: an attempt that has lost its claim may not write down what came of it. */
    claim: string | null;
    /** Wall time, in milliseconds since the Unix epoch: from then on another replica may make the attempt. */
    claimed_until: number | null;
  };
  /** What came of each attempt: a status, or an error in words. */
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
  /** What was delivered for subscriptions without a destination. */
  inbox: { id: string; delivery_id: string; subscription_id: string; received_at: string; headers: string; body: string };
  /** What the authorization server has under way or has given out: interactions, grants, codes, refresh tokens. Its instants are kit time. */
  oauth_artifacts: {
    kind: string;
    id: string;
    grant_id: string | null;
    payload: string;
    expires_at: number;
    /** When it was used up; null while it was not. */
    consumed_at: number | null;
  };
  /** Grants whose access tokens are refused before they expire. */
  oauth_revocations: { grant_id: string; revoked_at: number };
  /** Client assertions that were used; `expires_at` is wall time, in milliseconds since the Unix epoch. */
  oauth_assertions: { id: string; expires_at: number };
  /**
   * Whole worlds that were saved by name, themselves part of none: they survive every load. `saved_at` is kit time, ISO 8601 UTC; `entities` (how many
   * of each collection) and `content` (the rows of every table) are JSON.
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
