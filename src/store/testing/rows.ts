import type { Executor } from '../engine.ts';
import type { Tables } from '../schema.ts';

const instant = '2026-01-02T03:04:05.678Z';
const ada = { account_id: 'account-1', first_name: 'Ada', last_name: '', created_at: instant, updated_at: '', json: '{}' };

/** Each table comes after the tables that it refers to. */
export const exampleRows: { [T in keyof Tables]: Tables[T] } = {
  meta: { key: 'epoch', value: '1' },
  providers: { id: 'provider-1', alias: 'acme', name: 'Acme' },
  experiences: { id: 'experience-1', alias: 'desk', provider_id: 'provider-1', name: 'Desk', type: 'AGENT' },
  experience_grants: { provider_id: 'provider-1', experience_id: 'experience-1', level: 2 },
  accounts: { id: 'account-1', alias: 'north', name: 'North' },
  telephone_numbers: { number: '+15550100', account_id: 'account-1' },
  users: { id: 'user-1', alias: 'ada', ...ada },
  native_user_ids: { native_id: 'A1b2', style: 'base62', user_id: 'user-1' },
  user_list: { user_id: 'user-1', ...ada, visible_from: 0, visible_until: Number.MAX_SAFE_INTEGER },
  user_counts: { account_id: 'account-1', due_at: 1_767_323_045_678, delta: 1 },
  principals: { id: 'principal-1', alias: 'admin', name: 'Admin', telephone_number: '+15550100', consent: 'gives' },
  account_grants: { principal_id: 'principal-1', account_id: 'account-1', level: 1 },
  clients: { id: 'client-1', alias: 'backend', provider_id: 'provider-1', name: 'Backend', settings: '{}' },
  assignments: {
    id: 'assignment-1',
    alias: 'desk-number',
    experience_id: 'experience-1',
    account_id: 'account-1',
    target_type: 'PHONE_NUMBER',
    target_value: '+15550100',
    agent_number: '+15550100',
    updated_at: instant,
    json: '{}',
  },
  connections: {
    id: 'connection-1',
    alias: 'desk-north',
    account_id: 'account-1',
    experience_id: 'experience-1',
    state: 'ACTIVE',
    updated_at: instant,
  },
  subscriptions: {
    id: 'subscription-1',
    alias: 'all',
    provider_id: 'provider-1',
    experience_id: null,
    types: '[]',
    destination_url: null,
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    mode: '{"reorder":{"window":1000}}',
    reorder_ordinal: 1,
    reorder_opened_at: 1_767_323_045_678,
  },
  events: {
    id: 'event-1',
    type: 'experience.connection.created',
    timestamp: instant,
    provider_id: 'provider-1',
    experience_id: 'experience-1',
    entity_id: 'connection-1',
    data: '{}',
    actor: 'portal',
  },
  changes: {
    id: 'change-1',
    at: instant,
    collection: 'accounts',
    entity_id: 'account-1',
    alias: 'a',
    action: 'created',
    actor: 'platform',
    difference: null,
  },
  deliveries: {
    id: 'delivery-1',
    event_id: 'event-1',
    subscription_id: 'subscription-1',
    body: '{}',
    headers: '{}',
    created_at: instant,
    state: 'pending',
    attempts: 1,
    due_at: 1_767_323_045_678,
    claim: 'claim-1',
    claimed_until: 1_767_323_075_678,
  },
  delivery_attempts: {
    id: 'attempt-1',
    delivery_id: 'delivery-1',
    number: 1,
    at: instant,
    duration_ms: 12,
    status: 503,
    error: null,
    next_at: instant,
  },
  inbox: {
    id: 'received-1',
    delivery_id: 'delivery-1',
    subscription_id: 'subscription-1',
    received_at: instant,
    headers: '{}',
    body: '{}',
  },
  oauth_artifacts: {
    kind: 'RefreshToken',
    id: 'token-1',
    grant_id: 'grant-1',
    payload: '{}',
    expires_at: 1_767_323_045_678,
    consumed_at: 1_767_323_045_000,
  },
  oauth_revocations: { grant_id: 'grant-1', revoked_at: 1_767_323_045_678 },
  oauth_assertions: { id: 'assertion-1', expires_at: 1_767_323_045_678 },
  snapshots: { name: 'base', saved_at: instant, world: 'demo', entities: '{}', content: '{}' },
  faults: { number: 7, fault: '{}', seen: 1 },
};

export const tableNames = Object.keys(exampleRows) as (keyof Tables)[];

export async function insertExample<T extends keyof Tables>(db: Executor, table: T, change: Partial<Tables[T]> = {}): Promise<void> {
  await db
    .insertInto(table)
    .values({ ...exampleRows[table], ...change } as never)
    .execute();
}

export async function insertAllExamples(db: Executor): Promise<void> {
  for (const table of tableNames) await insertExample(db, table);
}
