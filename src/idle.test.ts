import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { createKit } from './kit.ts';
import { freshDatabase } from './store/testing/postgres.ts';

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

test('an idle kit on SQLite waits for no timer, so it executes no statements', async (t) => {
  const before = timers();
  const kit = await createKit({ port: 0 });
  t.after(() => kit.close());
  // The first poll of the outbox has ended when the kit has looked for due deliveries again.
  await kit.clock.advance(0);
  await nextTurn();
  assert.equal(timers(), before);
});

test('an idle kit on PostgreSQL sends at most 6 statements a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const kit = await createKit({ port: 0, database: await freshDatabase() });
  t.after(() => kit.close());
  // Queries of the test give the kit time to send its own.
  const BARRIER = 'select 1 as barrier';
  const settle = async () => {
    for (let query = 0; query < 5; query++) await sql.raw(BARRIER).execute(kit.store.db);
  };
  await settle();
  const { mock } = t.mock.method(pg.Client.prototype, 'query');
  const statements = () =>
    mock.calls
      .map(({ arguments: [query] }) => (query as unknown as { text?: string }).text ?? String(query))
      .filter((text) => text !== BARRIER);
  for (let second = 0; second < 60; second++) {
    t.mock.timers.tick(1000);
    await settle();
  }
  // The slow poll reads the outbox, in case that a notification was lost.
  while (statements().length === 0) await settle();
  assert.ok(statements().length <= 6, statements().join('\n'));
});
