import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMode, removeMode, writeMode } from './delivery-modes.ts';
import { openStore } from './store.ts';
import { freshDatabase } from './testing/postgres.ts';
import { add, rows } from './testing/rows.ts';
import { somebodyWaits } from './testing/waiting.ts';

const { id } = rows.subscriptions;
const MODE = { mode: '{"hold":true}', oneByOne: false };

for (const [engine, database] of [
  ['sqlite', async () => ({})],
  ['postgres', async () => ({ database: await freshDatabase() })],
] as const) {
  test(`${engine}: a subscription that is gone gets no mode`, async () => {
    const { db, write, close } = await openStore(await database());
    assert.equal(await write((tx) => writeMode(tx, id, MODE)), false);
    assert.equal(await readMode(db, id), undefined);
    await close();
  });
}

test('a mode goes with its subscription, also where that is removed while the mode is set', async () => {
  const { db, write, close } = await openStore({ database: await freshDatabase() });
  await add(db, 'providers', rows.providers);
  await add(db, 'experiences', rows.experiences);
  await add(db, 'subscriptions', rows.subscriptions);
  let removing: Promise<void> | undefined;
  await write(async (tx) => {
    assert.equal(await writeMode(tx, id, MODE), true);
    removing = write(async (other) => {
      await other.deleteFrom('subscriptions').where('id', '=', id).execute();
      await removeMode(other, id);
    });
    await somebodyWaits(db);
  });
  await removing;
  assert.equal(await readMode(db, id), undefined);
  await close();
});
