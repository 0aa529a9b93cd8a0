import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
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
  const { mock } = t.mock.method(pg.Client.prototype, 'query');
  const statements = () =>
    mock.calls.map(({ arguments: [query] }) => (query as unknown as { text?: string }).text ?? String(query as unknown));
  // The test sends no queries itself. While queries are in progress, the kit also probes the server.
  const settle = async () => {
    for (let quietTurns = 0, seen = 0; quietTurns < 5; quietTurns++) {
      await Promise.allSettled(mock.calls.map(({ result }) => result));
      await nextTurn();
      if (mock.callCount() > seen) [quietTurns, seen] = [0, mock.callCount()];
    }
  };
  const kit = await createKit({ port: 0, database: await freshDatabase() });
  t.after(() => kit.close());
  // Opening the connection for notifications is the last part of the start, because it makes the kit read the outbox again.
  while (!statements().some((text) => text.startsWith('listen '))) await nextTurn();
  await settle();
  mock.resetCalls();
  for (let second = 0; second < 60; second++) {
    t.mock.timers.tick(1000);
    await settle();
  }
  // The slow poll reads the outbox, in case that a notification was lost.
  while (statements().length === 0) await nextTurn();
  await settle();
  assert.ok(statements().length <= 6, statements().join('\n'));
});
