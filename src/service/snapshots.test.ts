import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClock } from '../clock/clock.ts';
import { createIds } from '../clock/ids.ts';
import { LOAD } from '../store/meta.ts';
import { openStore, type Store } from '../store/store.ts';
import { freshDatabase } from '../store/testing/postgres.ts';
import { add, addEverything, tableNames } from '../store/testing/rows.ts';
import { STATE_TABLES } from '../store/world-tables.ts';
import { compileWorld } from '../world/compile.ts';
import { dumpWorld } from '../world/dump.ts';
import { loadWorld } from '../world/load.ts';
import { corners } from '../world/testing/corners.ts';
import { sorted } from '../world/testing/tables.ts';
import type { World } from '../world/world.ts';
import { readWorld } from '../world/yaml.ts';
import { listSnapshots, removeSnapshot, restoreSnapshot, saveSnapshot } from './snapshots.ts';
import { createWorldState } from './world-state.ts';

const engines = { sqlite: async () => openStore(), postgres: async () => openStore({ database: await freshDatabase() }) };
const DAY = 86_400_000;

async function lab(store: Store) {
  const clock = createClock();
  const world = await createWorldState(store, clock, createIds());
  return {
    store,
    clock,
    world,
    load: async (loaded: World) => {
      await loadWorld(store, compileWorld(loaded).rows!);
      await world.reload();
    },
    save: (name: string) => saveSnapshot(store, name, clock.now()),
    restore: (name: string) => restoreSnapshot({ store, world }, name),
  };
}

/** Every table of the state, its rows in any order; the version, the load and claims are anew in any load. */
async function tablesOf({ db }: Store): Promise<Record<string, object[]>> {
  const tables: Record<string, object[]> = {};
  for (const table of STATE_TABLES) {
    const rows = (await db.selectFrom(table).selectAll().execute()) as Record<string, unknown>[];
    tables[table] = sorted(rows.filter(({ key }) => table !== 'meta' || (key !== 'version' && key !== LOAD)));
  }
  return tables;
}

for (const [engine, open] of Object.entries(engines)) {
  const check = (title: string, body: (it: Awaited<ReturnType<typeof lab>>) => Promise<void>) =>
    test(`${engine}: ${title}`, async () => {
      const store = await open();
      try {
        await body(await lab(store));
      } finally {
        await store.close();
      }
    });

  for (const [name, read] of Object.entries({ demo: () => readWorld('demo'), corners: async () => corners })) {
    check(`the world ${name} that was saved and loaded is the same in every table, and so is its dump`, async ({ store, ...it }) => {
      await it.load(await read());
      const [dump, tables] = [JSON.stringify(await store.read(dumpWorld)), await tablesOf(store)];
      const { snapshot, created } = await it.save('base');
      assert.deepEqual([created, snapshot.world, snapshot.entities.users], [true, name, (await read()).users ? tables.users?.length : 0]);
      await it.load({ world: 'other', accounts: { a: { name: 'A' } } });
      assert.equal(await it.restore('base'), true);
      assert.equal(JSON.stringify(await store.read(dumpWorld)), dump);
      assert.deepEqual(await tablesOf(store), tables);
      assert.equal(it.world.name, name);
    });
  }

  check('history comes back with whatever columns its tables have, and other snapshots stay', async ({ store, ...it }) => {
    await addEverything(store.db);
    await store.db.updateTable('deliveries').set({ claim: null, claimed_until: null }).execute();
    const tables = await tablesOf(store);
    for (const table of STATE_TABLES) assert.equal(tables[table]?.length, 1, table);
    await it.save('kept');
    await it.load({ world: 'other' });
    assert.equal((await tablesOf(store)).inbox?.length, 0);
    await it.restore('kept');
    assert.deepEqual(await tablesOf(store), tables);
    assert.deepEqual(
      (await listSnapshots(store.db)).map(({ name }) => name),
      ['base', 'kept'],
    );
    assert.deepEqual([...STATE_TABLES, 'snapshots'].sort(), [...tableNames].sort());
  });

  check('a snapshot of a version in which subscriptions had no mode and no secret is loaded', async ({ store, ...it }) => {
    await it.load(corners);
    await it.save('old');
    const { content } = await store.db.selectFrom('snapshots').select('content').where('name', '=', 'old').executeTakeFirstOrThrow();
    const state = JSON.parse(content);
    for (const member of ['secret', 'mode', 'reorder_ordinal', 'reorder_opened_at'])
      for (const row of state.subscriptions) delete row[member];
    await store.db
      .updateTable('snapshots')
      .set({ content: JSON.stringify(state) })
      .where('name', '=', 'old')
      .execute();
    await it.restore('old');
    const { subscriptions } = await store.read(dumpWorld);
    assert.match(subscriptions?.one?.secret ?? '', /^whsec_/);
    assert.equal(subscriptions?.one?.mode, undefined);
  });

  check('an attempt that was under way at the saving has lost its claim after the load', async ({ store, ...it }) => {
    await addEverything(store.db);
    await store.db.updateTable('deliveries').set({ claim: 'mine', claimed_until: DAY }).execute();
    await it.save('kept');
    await it.restore('kept');
    const claims = await store.db.selectFrom('deliveries').select(['claim', 'claimed_until']).execute();
    assert.deepEqual({ ...claims[0] }, { claim: null, claimed_until: null });
  });

  check('kit time comes back, also where it was over a year ahead', async ({ clock, world, ...it }) => {
    await it.save('now');
    for (let i = 0; i < 2; i++) await world.advance(300 * DAY);
    await it.save('later');
    const { version } = world;
    await it.restore('now');
    assert.equal(clock.offset, 0);
    await it.restore('later');
    assert.equal(clock.offset, 600 * DAY);
    assert.notEqual(world.version, version, 'what was remembered is asked anew');
  });

  check('a name is saved again in place of what had it', async ({ store, ...it }) => {
    await it.load({ world: 'one' });
    await it.save('base');
    await it.load({ world: 'two' });
    assert.equal((await it.save('base')).created, false);
    await it.load({ world: 'three' });
    await it.restore('base');
    assert.equal(it.world.name, 'two');
    assert.equal((await listSnapshots(store.db)).length, 1);
  });

  check('a name that nothing was saved under changes nothing', async ({ store, ...it }) => {
    await it.load({ world: 'one' });
    const { version } = it.world;
    assert.equal(await it.restore('nothing'), false);
    for (const name of ['nothing', 'a\0']) assert.equal(await removeSnapshot(store, name), false);
    assert.deepEqual([it.world.name, it.world.version], ['one', version]);
    await it.save('base');
    assert.equal(await removeSnapshot(store, 'base'), true);
    assert.equal(await it.restore('base'), false);
  });

  check('writers at the time of a snapshot are in it whole, or not at all', async ({ store, ...it }) => {
    const writers = Array.from({ length: 20 }, (_, i) =>
      store.write(async (tx) => {
        await add(tx, 'accounts', { id: `${i}`, alias: `${i}` });
        await add(tx, 'telephone_numbers', { number: `${i}`, account_id: `${i}` });
      }),
    );
    const saves = [it.save('base'), ...writers, it.save('base')];
    await Promise.all(saves);
    await it.restore('base');
    const counted = await tablesOf(store);
    assert.equal(counted.accounts?.length, counted.telephone_numbers?.length);
  });
}

test('a snapshot that one replica saves is loaded by another', async () => {
  const database = await freshDatabase();
  const stores = await Promise.all([openStore({ database }), openStore({ database })]);
  const [one, other] = [await lab(stores[0]!), await lab(stores[1]!)];
  await one.load({ world: 'one' });
  await one.save('base');
  await one.load({ world: 'two' });
  assert.equal(await other.restore('base'), true);
  await one.world.refresh();
  assert.equal(one.world.name, 'one');
  for (const store of stores) await store.close();
});
