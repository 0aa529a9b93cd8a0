// Uses the sources, because it replaces a method of the pg package, of which the bundle has a copy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { createKit } from './kit.ts';
import { createDatabase } from './store/testing/postgres.ts';

const countTimers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

test('an idle kit on SQLite has no active timer, so it executes no statements', async (t) => {
  const before = countTimers();
  const kit = await createKit({ port: 0 });
  t.after(() => kit.close());
  // `advance` waits for the outbox's first poll.
  await kit.clock.advance(0);
  await nextTurn();
  assert.equal(countTimers(), before);
});

test('an idle kit on PostgreSQL sends at most 6 statements a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { mock } = t.mock.method(pg.Client.prototype, 'query');
  const listStatements = () =>
    mock.calls.map(({ arguments: [query] }) => (query as unknown as { text?: string }).text ?? String(query as unknown));
  // Wait without a query, because a query would make the kit probe the server.
  const settle = async () => {
    for (let quietTurns = 0, seen = 0; quietTurns < 5; quietTurns++) {
      await Promise.allSettled(mock.calls.map(({ result }) => result));
      await nextTurn();
      if (mock.callCount() > seen) [quietTurns, seen] = [0, mock.callCount()];
    }
  };
  const kit = await createKit({ port: 0, database: await createDatabase() });
  t.after(() => kit.close());
  // The kit has started once it listens for notifications.
  while (!listStatements().some((text) => text.startsWith('listen '))) await nextTurn();
  await settle();
  mock.resetCalls();
  for (let second = 0; second < 60; second++) {
    t.mock.timers.tick(1000);
    await settle();
  }
  // The kit polls the outbox from time to time, in case a notification was lost.
  while (listStatements().length === 0) await nextTurn();
  await settle();
  assert.ok(listStatements().length <= 6, listStatements().join('\n'));
});
