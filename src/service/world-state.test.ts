import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { createClock } from '../clock/clock.ts';
import { createIds } from '../clock/ids.ts';
import { writeMeta } from '../store/meta.ts';
import { openStore } from '../store/store.ts';
import { createDatabase } from '../store/testing/postgres.ts';
import { createWorldState } from './world-state.ts';

test('on PostgreSQL, a refresh is one query that reads less than 500 bytes, even if the table has large values', async (t) => {
  const store = await openStore({ database: await createDatabase() });
  t.after(() => store.close());
  await store.write((tx) => writeMeta(tx, 'tokens', 'x'.repeat(100_000)));
  const read: string[] = [];
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      read.push(JSON.stringify(result.rows));
      return result;
    },
  };
  const world = await createWorldState({ ...store, db: store.db.withPlugin(counting) }, createClock(), createIds());
  await store.write((tx) => world.markRestarted(tx, 1000));
  read.length = 0;
  await world.refresh();
  assert.equal(read.length, 1);
  assert.ok(read[0]!.length < 500, `${read[0]!.length} bytes`);
  assert.match(world.version, /^[0-9a-f-]{36}$/);
});

test('on PostgreSQL, a refresh that ends after a later reload does not restore the old clock', async (t) => {
  const store = await openStore({ database: await createDatabase() });
  t.after(() => store.close());
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: wasRead, resolve: markRead } = Promise.withResolvers<void>();
  let isDelayed = false;
  const delaying: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isDelayed) return result;
      isDelayed = false;
      markRead();
      await released;
      return result;
    },
  };
  const clock = createClock();
  const world = await createWorldState({ ...store, db: store.db.withPlugin(delaying) }, clock, createIds());
  isDelayed = true;
  const refreshed = world.refresh();
  await wasRead;
  await world.advanceKitTime(1000);
  release();
  await refreshed;
  assert.equal(clock.offset, 1000);
});
