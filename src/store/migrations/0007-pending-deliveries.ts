import { type Kysely, type SqlBool, sql } from 'kysely';
import { createIndex, dropIndex } from './table.ts';

/** What waits, first attempts and repeats apart, as they are claimed, and what is held. What is over is in no index: most of an outbox is, and each attempt pays for them. */
export const pendingDeliveries = {
  async up(db: Kysely<unknown>): Promise<void> {
    await dropIndex(db, 'deliveries', ['state', 'due_at']);
    await dropIndex(db, 'deliveries', ['state', 'subscription_id', 'due_at', 'id']);
    await createIndex(db, 'deliveries', ['due_at'], { name: 'pending', where: sql<SqlBool>`state = 'pending'` });
    const earliest = ['subscription_id', 'due_at', 'id'];
    await createIndex(db, 'deliveries', earliest, { name: 'first', where: sql<SqlBool>`state = 'pending' and attempts = 0` });
    await createIndex(db, 'deliveries', earliest, { name: 'repeat', where: sql<SqlBool>`state = 'pending' and attempts > 0` });
    await createIndex(db, 'deliveries', ['subscription_id', 'id'], { name: 'held', where: sql<SqlBool>`state = 'held'` });
  },
};
