import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClock } from '../clock/clock.ts';
import { createIds } from '../clock/ids.ts';
import { allFaults } from '../store/faults.ts';
import { LOAD_KEY, VERSION_KEY } from '../store/meta.ts';
import { openStore, type Store } from '../store/store.ts';
import { createDatabase } from '../store/testing/postgres.ts';
import { insertAllExamples, insertExample, tableNames } from '../store/testing/rows.ts';
import { STATE_TABLES } from '../store/world-tables.ts';
import { compileWorld } from '../world/compile.ts';
import { replaceWorld } from '../world/load.ts';
import { edgeCaseWorld } from '../world/testing/corners.ts';
import { readDump, readTables } from '../world/testing/tables.ts';
import type { World } from '../world/world.ts';
import { listSnapshots, removeSnapshot, restoreSnapshot, saveSnapshot } from './snapshots.ts';
import { createWorldState } from './world-state.ts';

const engines = { sqlite: async () => openStore(), postgres: async () => openStore({ database: await createDatabase() }) };
const DAY = 86_400_000;

async function openLab(store: Store) {
  const clock = createClock();
  const world = await createWorldState(store, clock, createIds());
  return {
    store,
    clock,
    world,
    load: async (loaded: World) => {
      await store.writeExclusively((tx) => replaceWorld(tx, compileWorld(loaded).rows!));
      await world.reload();
    },
    save: (name: string) => saveSnapshot(store, name, clock.now()),
    restore: (name: string) => restoreSnapshot({ store, world }, name),
    tables: async (): Promise<Record<string, unknown[]>> => {
      const tables = await readTables(store);
      return { ...tables, meta: tables.meta!.filter((row) => ![VERSION_KEY, LOAD_KEY].includes((row as { key: string }).key)) };
    },
  };
}

for (const [engine, open] of Object.entries(engines)) {
  const testBothEngines = (title: string, body: (lab: Awaited<ReturnType<typeof openLab>>) => Promise<void>) =>
    test(`${engine}: ${title}`, async () => {
      const store = await open();
      try {
        await body(await openLab(store));
      } finally {
        await store.close();
      }
    });

  testBothEngines('restoring a snapshot of a world restores every table and results in the same dump', async ({ store, ...lab }) => {
    await lab.load(edgeCaseWorld);
    const [dump, tables] = [JSON.stringify(await readDump(store)), await lab.tables()];
    const { snapshot, created } = await lab.save('base');
    assert.deepEqual([created, snapshot.world, snapshot.entities.users], [true, 'corners', Object.keys(edgeCaseWorld.users!).length]);
    await lab.load({ world: 'other', accounts: { a: { name: 'A' } } });
    assert.equal(await lab.restore('base'), true);
    assert.equal(JSON.stringify(await readDump(store)), dump);
    assert.deepEqual(await lab.tables(), tables);
    assert.equal(lab.world.name, 'corners');
  });

  testBothEngines(
    'restoring a snapshot restores every table, releases claimed deliveries, removes faults and leaves other snapshots unchanged',
    async ({ store, ...lab }) => {
      await insertAllExamples(store.db);
      await store.db.updateTable('deliveries').set({ claim: 'mine', claimed_until: DAY }).execute();
      await lab.save('kept');
      await store.db.updateTable('deliveries').set({ claim: null, claimed_until: null }).execute();
      const tables = await lab.tables();
      for (const table of STATE_TABLES) assert.equal(tables[table]?.length, 1, table);
      await lab.load({ world: 'other' });
      assert.deepEqual((await lab.tables()).inbox, []);
      await lab.restore('kept');
      assert.deepEqual(await lab.tables(), tables);
      const names = (await listSnapshots(store.db)).map(({ name }) => name);
      assert.deepEqual(names, ['base', 'kept']);
      assert.deepEqual(await allFaults(store.db, {}), []);
      assert.deepEqual([...STATE_TABLES, 'faults', 'snapshots'].sort(), [...tableNames].sort());
    },
  );

  testBothEngines(
    'a snapshot from an older version, in which subscriptions had no mode and no secret, can be restored',
    async ({ store, ...lab }) => {
      await lab.load(edgeCaseWorld);
      await lab.save('old');
      const { content } = await store.db.selectFrom('snapshots').select('content').where('name', '=', 'old').executeTakeFirstOrThrow();
      const state = JSON.parse(content);
      for (const row of state.subscriptions)
        for (const column of ['secret', 'mode', 'reorder_ordinal', 'reorder_opened_at']) delete row[column];
      const changed = JSON.stringify(state);
      await store.db.updateTable('snapshots').set({ content: changed }).where('name', '=', 'old').execute();
      await lab.restore('old');
      const { one } = (await readDump(store)).subscriptions!;
      assert.match(one?.secret ?? '', /^whsec_/);
      assert.equal(one?.mode, undefined);
    },
  );

  testBothEngines(
    'restoring a snapshot restores kit time, even if it was more than a year ahead of wall time',
    async ({ clock, world, ...lab }) => {
      await lab.save('now');
      for (let i = 0; i < 2; i++) await world.advanceKitTime(300 * DAY);
      await lab.save('later');
      const { version } = world;
      await lab.restore('now');
      assert.equal(clock.offset, 0);
      await lab.restore('later');
      assert.equal(clock.offset, 600 * DAY);
      assert.notEqual(world.version, version, 'the version must change, so that caches are reloaded');
    },
  );

  testBothEngines('a snapshot can be replaced and removed by its name, and an unknown name changes nothing', async ({ store, ...lab }) => {
    await lab.load({ world: 'one' });
    const { version } = lab.world;
    assert.equal(await lab.restore('base'), false);
    for (const name of ['base', 'a\0']) assert.equal(await removeSnapshot(store, name), false);
    assert.deepEqual([lab.world.name, lab.world.version], ['one', version]);
    assert.equal((await lab.save('base')).created, true);
    await lab.load({ world: 'two' });
    assert.equal((await lab.save('base')).created, false);
    await lab.load({ world: 'three' });
    await lab.restore('base');
    assert.equal(lab.world.name, 'two');
    assert.equal(await removeSnapshot(store, 'base'), true);
    assert.deepEqual([await lab.restore('base'), await listSnapshots(store.db)], [false, []]);
  });

  testBothEngines('a snapshot contains all rows of a concurrent write, or none of them', async ({ store, ...lab }) => {
    const writers = Array.from({ length: 20 }, (_, i) =>
      store.write(async (tx) => {
        await insertExample(tx, 'accounts', { id: `${i}`, alias: `${i}` });
        await insertExample(tx, 'telephone_numbers', { number: `${i}`, account_id: `${i}` });
      }),
    );
    await Promise.all([lab.save('base'), ...writers, lab.save('base')]);
    await lab.restore('base');
    const { accounts, telephoneNumbers } = await readDump(store);
    assert.equal(Object.keys(accounts ?? {}).length, Object.keys(telephoneNumbers ?? {}).length);
  });
}

test('a snapshot that one replica saved can be restored by another replica', async () => {
  const database = await createDatabase();
  const stores = await Promise.all([openStore({ database }), openStore({ database })]);
  const [one, other] = [await openLab(stores[0]!), await openLab(stores[1]!)];
  await one.load({ world: 'one' });
  await one.save('base');
  await one.load({ world: 'two' });
  assert.equal(await other.restore('base'), true);
  await one.world.refresh();
  assert.equal(one.world.name, 'one');
  for (const store of stores) await store.close();
});
