import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepared } from '../prepared.ts';
import { openStore, type Store, type StoreOptions } from '../store.ts';

const set = prepared((db, p: { key: string; value: string }) => db.insertInto('meta').values({ value: p.value, key: p.key }));
const get = prepared((db, p: { key: string }) => db.selectFrom('meta').select('value').where('key', '=', p.key));
const page = prepared((db, p: { after: string; size: number }) =>
  db.selectFrom('meta').select('key').where('key', '>', p.after).where('value', '=', 'listed').orderBy('key').limit(p.size),
);
const rename = prepared((db, p: { from: string; to: string }) => db.updateTable('meta').set({ value: p.to }).where('value', '=', p.from));
const remove = prepared((db, p: { value: string }) => db.deleteFrom('meta').where('value', '=', p.value).returning('key'));
const peeking = prepared((db, p: { key: string }) => db.selectFrom('meta').select('value').where('key', '=', `x${p.key}`));

/** That prepared queries mean the same on both engines, on the database and in a transaction. */
export function preparedSuite(engine: string, place: () => Promise<StoreOptions>): void {
  const check = (title: string, body: (store: Store) => Promise<void>) =>
    test(`${engine}: ${title}`, async () => {
      const store = await openStore(await place());
      try {
        await body(store);
      } finally {
        await store.close();
      }
    });

  check('a prepared query takes other values each time', async ({ db }) => {
    for (const key of ['a', 'b']) assert.equal(await set.change(db, { key, value: `${key}!` }), 1);
    assert.deepEqual(
      [await get.first(db, { key: 'a' }), await get.first(db, { key: 'b' })].map((row) => row?.value),
      ['a!', 'b!'],
    );
    assert.deepEqual(await get(db, { key: 'c' }), []);
    assert.equal(await get.first(db, { key: 'c' }), undefined);
  });

  check('a prepared query belongs to the transaction that it is given', async ({ db, write }) => {
    const attempt = write(async (tx) => {
      await set.change(tx, { key: 'a', value: 'inside' });
      assert.equal((await get.first(tx, { key: 'a' }))?.value, 'inside');
      throw new Error('no');
    });
    await assert.rejects(attempt, /^Error: no$/);
    assert.equal(await get.first(db, { key: 'a' }), undefined);
  });

  check('constants of a prepared query stay, and limits can be given', async ({ db }) => {
    for (const key of ['a', 'b', 'c', 'd']) await set.change(db, { key, value: key === 'c' ? 'hidden' : 'listed' });
    const keys = async (after: string, size: number) => (await page(db, { after, size })).map((row) => row.key);
    assert.deepEqual([await keys('', 2), await keys('b', 2), await keys('a', 9)], [['a', 'b'], ['d'], ['b', 'd']]);
  });

  check('prepared changes say how many rows they changed, or give them back', async ({ db }) => {
    for (const key of ['a', 'b']) await set.change(db, { key, value: 'old' });
    assert.equal(await rename.change(db, { from: 'old', to: 'new' }), 2);
    assert.equal(await rename.change(db, { from: 'old', to: 'new' }), 0);
    assert.deepEqual((await remove(db, { value: 'new' })).map((row) => row.key).sort(), ['a', 'b']);
  });

  check('a missing value is an error, not a null', async ({ db }) => {
    await assert.rejects(get(db, {} as { key: string }), /not given its parameter "key"/);
  });

  check('a prepared query cannot be made of the text of its values', async ({ db }) => {
    await assert.rejects(peeking(db, { key: 'a' }), /"key" is only a placeholder/);
  });
}
