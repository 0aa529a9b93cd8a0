import { type Kysely, type SqlBool, sql } from 'kysely';
import { createIndex, dropIndex } from './table.ts';

/** Partial indexes of pending deliveries, by first attempts and repeats, and of held ones. Most deliveries have ended, and are in none of them: indexes slow down attempts. */
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
