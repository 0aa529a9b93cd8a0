import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';

const MAX_WAIT_MS = 10_000;

/** @throws Error if no transaction waits within ten seconds */
export async function waitForBlockedTransaction(db: Kysely<Tables>): Promise<void> {
  const waiting = sql`select pid from pg_locks where not granted
    and pid in (select pid from pg_stat_activity where datname = current_database())`;
  const deadline = performance.now() + MAX_WAIT_MS;
  while ((await waiting.execute(db)).rows.length === 0) {
    if (performance.now() > deadline) throw new Error('No transaction waits for a lock.');
    await turn();
  }
}
