import { type Kysely, sql } from 'kysely';
import { addColumn, createIndex, createTable } from './table.ts';

/** The dispatcher: the state of each delivery, its attempts, and the inbox for subscriptions without a destination. */
export const deliveries = {
  async up(db: Kysely<unknown>): Promise<void> {
    await addColumn(db, 'deliveries', 'state', 'text', 'pending');
    await addColumn(db, 'deliveries', 'attempts', 'integer', sql`0`);
    await addColumn(db, 'deliveries', 'due_at', 'instant', sql`0`);
    await addColumn(db, 'deliveries', 'claim', 'text?');
    await addColumn(db, 'deliveries', 'claimed_until', 'instant?');
    await createIndex(db, 'deliveries', ['state', 'due_at']);
    await createIndex(db, 'deliveries', ['state', 'subscription_id', 'due_at', 'id']);
    await createTable(
      db,
      'delivery_attempts',
      {
        id: 'text',
        delivery_id: 'text',
        number: 'integer',
        at: 'text',
        duration_ms: 'integer',
        status: 'integer?',
        error: 'text?',
        next_at: 'text?',
      },
      { key: ['id'], follows: { delivery_id: 'deliveries' }, indexes: [['delivery_id']] },
    );
    await createTable(
      db,
      'inbox',
      { id: 'text', delivery_id: 'text', subscription_id: 'text', received_at: 'text', headers: 'text', body: 'text' },
      { key: ['id'], follows: { delivery_id: 'deliveries' }, indexes: [['delivery_id'], ['subscription_id']] },
    );
  },
};
