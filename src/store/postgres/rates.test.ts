import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createRateLimit, type Window } from '../../domain/rate.ts';
import { RATE_STEPS, type Step } from '../../domain/testing/rate-steps.ts';
import type { RateParameters } from '../engine.ts';
import { openStore } from '../store.ts';
import { createDatabase } from '../testing/postgres.ts';
import { stopServerClock } from '../testing/server-clock.ts';
import { createSharedRates } from './rates.ts';
import { createStatementGroups } from './statement-groups.ts';

const RATE_PARAMETERS: RateParameters = { load: 'load', offset: 0, limit: 100, window: 'sliding' };
/** A whole number of seconds, because fixed windows begin at whole seconds. */
const START = 1_800_000_000_000;

async function openReplicas(t: { after(close: () => Promise<void>): void }, count: number) {
  const database = await createDatabase();
  await (await openStore({ database })).close();
  const clock = await stopServerClock(database);
  const pools = Array.from({ length: count }, () => new pg.Pool({ connectionString: database, max: 4, pipeline: true }));
  const replicas = pools.map((pool) => createSharedRates(createStatementGroups(() => pool.connect()).execute));
  t.after(async () => {
    for (const { stop } of replicas) stop();
    await Promise.all([clock.close(), ...pools.map((pool) => pool.end())]);
  });
  const listCredentials = async () =>
    (await pools[0]!.query('select credential from rate_windows')).rows.map(({ credential }) => credential as string);
  return { replicas, clock, rows: listCredentials };
}

for (const [window, steps] of Object.entries(RATE_STEPS) as [Window, readonly Step[]][]) {
  test(`with a ${window} window, two replicas together allow the same requests as one process`, async (t) => {
    const { replicas, clock } = await openReplicas(t, 2);
    for (const [at, sent, passed, wait] of steps) {
      await clock.set(START + at);
      const waits = await Promise.all(
        Array.from({ length: sent }, (_, index) => replicas[index % 2]!.take('client', { ...RATE_PARAMETERS, window })),
      );
      const refused = waits.filter((each) => each > 0);
      assert.deepEqual([sent - refused.length, new Set(refused)], [passed, new Set(wait === 0 ? [] : [wait])], `at ${at}`);
    }
    assert.equal(await replicas[0]!.take('other client', { ...RATE_PARAMETERS, window }), 0);
  });

  test(`with random times and limits, a ${window} window allows as many requests in PostgreSQL as in memory`, async (t) => {
    const { replicas, clock } = await openReplicas(t, 3);
    for (const limit of [1, 64, 250]) {
      const inMemory = createRateLimit(limit, window);
      const parameters = { ...RATE_PARAMETERS, window, limit, load: `load ${limit}` };
      let now = START;
      for (let round = 0; round < 8; round++) {
        now += Math.floor(Math.random() ** 2 * 1500);
        await clock.set(now);
        const sent = Math.ceil(Math.random() * 1.5 * limit);
        const expected = Array.from({ length: sent }, () => inMemory.take('client', now)).filter((wait) => wait === 0).length;
        const waits = await Promise.all(Array.from({ length: sent }, (_, index) => replicas[index % 3]!.take('client', parameters)));
        assert.equal(waits.filter((wait) => wait === 0).length, expected, `limit ${limit}, round ${round}, at ${now - START}`);
      }
    }
  });
}

test("a single replica may use the whole limit, and setting the server's clock back allows no additional requests", async (t) => {
  const { replicas, clock } = await openReplicas(t, 1);
  const countAllowed = async (sent: number) =>
    (await Promise.all(Array.from({ length: sent }, () => replicas[0]!.take('client', RATE_PARAMETERS)))).filter((wait) => wait === 0)
      .length;
  await clock.set(START);
  assert.equal(await countAllowed(130), 100);
  await clock.set(START - 60_000);
  assert.equal(await countAllowed(130), 0);
  await clock.set(START + 1000);
  assert.equal(await countAllowed(130), 100);
});

test('the window is empty after kit time advances and after another world is loaded, even if loading the world sets kit time back', async (t) => {
  const { replicas } = await openReplicas(t, 2);
  const isRequestAllowed = async (parameters: RateParameters) => (await replicas[0]!.take('client', { ...parameters, limit: 1 })) === 0;
  assert.deepEqual([await isRequestAllowed(RATE_PARAMETERS), await isRequestAllowed(RATE_PARAMETERS)], [true, false]);
  assert.deepEqual(
    [
      await isRequestAllowed({ ...RATE_PARAMETERS, offset: 86_400_000 }),
      await isRequestAllowed({ ...RATE_PARAMETERS, offset: 86_400_000 }),
    ],
    [true, false],
  );
  assert.deepEqual(
    [await isRequestAllowed({ ...RATE_PARAMETERS, load: 'next' }), await isRequestAllowed({ ...RATE_PARAMETERS, load: 'next' })],
    [true, false],
  );
});

test('only the rows for idle credentials are deleted', async (t) => {
  const { replicas, clock, rows } = await openReplicas(t, 2);
  await clock.set(START);
  await Promise.all(['idle', 'busy'].map((credential) => replicas[0]!.take(credential, RATE_PARAMETERS)));
  await clock.set(START + 90_000);
  await replicas[0]!.take('busy', RATE_PARAMETERS);
  await replicas[1]!.removeIdle();
  assert.deepEqual(await rows(), ['busy']);
  assert.equal(await replicas[0]!.take('idle', RATE_PARAMETERS), 0);
});

test('if a statement fails, every request that waits for it fails, and later requests succeed', async (t) => {
  const { replicas } = await openReplicas(t, 1);
  const failing = createSharedRates(createStatementGroups(() => Promise.reject(new Error('no connection'))).execute);
  t.after(async () => failing.stop());
  const results = await Promise.allSettled(Array.from({ length: 3 }, () => failing.take('client', RATE_PARAMETERS)));
  assert.deepEqual(new Set(results.map(({ status }) => status)), new Set(['rejected']));
  assert.equal(await replicas[0]!.take('client', RATE_PARAMETERS), 0);
});
