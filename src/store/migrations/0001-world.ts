import type { Kysely } from 'kysely';
import { createTable } from './table.ts';

/**
 * The world of the first version. An entity that others refer to cannot be deleted: the use cases delete them one by one, because each deletion is an
 * event. Only grants and native ids are deleted with their entities. Events, deliveries and the read model of users outlive their entities.
 */
export const world = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createTable(db, 'meta', { key: 'text', value: 'text' }, { key: ['key'] });
    await providers(db);
    await accounts(db);
    await users(db);
    await principals(db);
    await assignments(db);
    await connections(db);
    await events(db);
  },
};

async function providers(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'providers', { id: 'text', alias: 'text', name: 'text' }, { key: ['id'], unique: [['alias']] });
  await createTable(
    db,
    'experiences',
    { id: 'text', alias: 'text', provider_id: 'text', name: 'text', type: 'text' },
    { key: ['id'], unique: [['alias']], needs: { provider_id: 'providers' }, indexes: [['provider_id']] },
  );
  await createTable(
    db,
    'experience_grants',
    { provider_id: 'text', experience_id: 'text', level: 'integer' },
    {
      key: ['provider_id', 'experience_id'],
      follows: { provider_id: 'providers', experience_id: 'experiences' },
      indexes: [['experience_id']],
    },
  );
  await createTable(
    db,
    'clients',
    { id: 'text', alias: 'text', provider_id: 'text', name: 'text', settings: 'text' },
    { key: ['id'], unique: [['alias']], needs: { provider_id: 'providers' }, indexes: [['provider_id']] },
  );
}

async function accounts(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'accounts', { id: 'text', alias: 'text', name: 'text' }, { key: ['id'], unique: [['alias']] });
  await createTable(
    db,
    'telephone_numbers',
    { number: 'text', account_id: 'text' },
    { key: ['number'], needs: { account_id: 'accounts' }, indexes: [['account_id']] },
  );
}

async function users(db: Kysely<unknown>): Promise<void> {
  const user = { account_id: 'text', first_name: 'text', last_name: 'text', created_at: 'text', updated_at: 'text', json: 'text' } as const;
  await createTable(
    db,
    'users',
    { id: 'text', alias: 'text', ...user },
    { key: ['id'], unique: [['alias']], needs: { account_id: 'accounts' }, indexes: [['account_id']] },
  );
  // Two users can have the same id in two styles. Which of them it means is a decision.
  await createTable(
    db,
    'native_user_ids',
    { native_id: 'text', style: 'text', user_id: 'text' },
    { key: ['native_id', 'style'], follows: { user_id: 'users' }, indexes: [['user_id']] },
  );
  // No key: after two changes within a millisecond, two versions are visible from the same instant, the first of them for no time.
  await createTable(
    db,
    'user_list',
    { user_id: 'text', ...user, visible_from: 'instant', visible_until: 'instant' },
    {
      indexes: [
        ['account_id', 'created_at', 'user_id'],
        ['account_id', 'updated_at', 'user_id'],
        ['account_id', 'first_name', 'user_id'],
        ['account_id', 'last_name', 'user_id'],
        ['user_id', 'visible_until'],
        ['visible_until'],
      ],
    },
  );
  // The index contains every column of the sum, so that the table is not read.
  await createTable(
    db,
    'user_counts',
    { account_id: 'text', due_at: 'instant', delta: 'integer' },
    { indexes: [['account_id', 'due_at', 'delta']] },
  );
}

async function principals(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'principals', { id: 'text', alias: 'text', name: 'text' }, { key: ['id'], unique: [['alias']] });
  await createTable(
    db,
    'account_grants',
    { principal_id: 'text', account_id: 'text', level: 'integer' },
    { key: ['principal_id', 'account_id'], follows: { principal_id: 'principals', account_id: 'accounts' }, indexes: [['account_id']] },
  );
}

async function assignments(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    'assignments',
    {
      id: 'text',
      alias: 'text',
      experience_id: 'text',
      account_id: 'text',
      target_type: 'text',
      target_value: 'text',
      agent_number: 'text?',
      updated_at: 'text',
      json: 'text',
    },
    {
      key: ['id'],
      unique: [['alias'], ['experience_id', 'target_type', 'target_value'], ['agent_number']],
      needs: { experience_id: 'experiences', account_id: 'accounts' },
      indexes: [
        ['account_id', 'id'],
        ['account_id', 'experience_id', 'id'],
        ['account_id', 'target_type', 'id'],
        ['account_id', 'experience_id', 'target_type', 'id'],
        ['target_type', 'target_value', 'id'],
      ],
    },
  );
}

async function connections(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    'connections',
    { id: 'text', alias: 'text', account_id: 'text', experience_id: 'text', state: 'text', updated_at: 'text' },
    {
      key: ['id'],
      unique: [['alias'], ['account_id', 'experience_id']],
      needs: { account_id: 'accounts', experience_id: 'experiences' },
      indexes: [['account_id', 'id'], ['experience_id']],
    },
  );
}

async function events(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    'subscriptions',
    { id: 'text', alias: 'text', provider_id: 'text', experience_id: 'text?', types: 'text', destination_url: 'text?' },
    {
      key: ['id'],
      unique: [['alias']],
      needs: { provider_id: 'providers', experience_id: 'experiences' },
      indexes: [['provider_id'], ['experience_id']],
    },
  );
  await createTable(
    db,
    'events',
    { id: 'text', type: 'text', timestamp: 'text', provider_id: 'text', experience_id: 'text', entity_id: 'text', data: 'text' },
    { key: ['id'], indexes: [['entity_id']] },
  );
  await createTable(
    db,
    'deliveries',
    { id: 'text', event_id: 'text', subscription_id: 'text', body: 'text', created_at: 'text' },
    { key: ['id'], unique: [['subscription_id', 'event_id']], follows: { event_id: 'events' }, indexes: [['event_id']] },
  );
}
