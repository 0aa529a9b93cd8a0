import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lockAccount } from '../accounts.ts';
import { isForeignKeyViolation, uniqueViolation } from '../errors.ts';
import type { Tables } from '../schema.ts';
import { openStore, type Store, type StoreOptions } from '../store.ts';
import { add, addEverything, rows, tableNames } from './rows.ts';

/** What both engines have to do alike. `place` gives a new, empty place to keep a world in, which can be opened more than once. */
export function storeSuite(engine: string, place: () => Promise<StoreOptions>): void {
  const check = (title: string, body: (store: Store, place: StoreOptions) => Promise<void>) =>
    test(`${engine}: ${title}`, async () => {
      const options = await place();
      const store = await openStore(options);
      try {
        await body(store, options);
      } finally {
        await store.close();
      }
    });

  check('every table gives back the row that it was given', async ({ db }) => {
    await addEverything(db);
    for (const table of tableNames) assert.deepEqual({ ...(await db.selectFrom(table).selectAll().executeTakeFirst()) }, rows[table]);
  });

  check('a second row with the same unique columns is refused, and the error says which columns', async ({ db }) => {
    await addEverything(db);
    for (const [table, columns, free] of UNIQUE) {
      const violation = await failure(add(db, table, free)).then(uniqueViolation);
      assert.deepEqual(violation, { table, columns });
    }
  });

  check('targets without an AGENT number do not exclude each other', async ({ db }) => {
    await addEverything(db);
    for (const id of ['a', 'b']) await add(db, 'assignments', { id, alias: id, target_type: 'USER', target_value: id, agent_number: null });
  });

  check('text is ordered by its bytes, in lists and in comparisons', async ({ db }) => {
    await add(db, 'accounts');
    for (const [i, first_name] of NASTY.entries()) await add(db, 'users', { id: `${i}`, alias: `${i}`, first_name });
    const inOrder = [...NASTY].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const names = db.selectFrom('users').select('first_name').orderBy('first_name');
    assert.deepEqual(
      (await names.execute()).map((row) => row.first_name),
      inOrder,
    );
    const after = await names.where('first_name', '>', inOrder[4] ?? '').execute();
    assert.deepEqual(
      after.map((row) => row.first_name),
      inOrder.slice(5),
    );
  });

  check('counts and sums are numbers', async ({ db }) => {
    for (const delta of [3, -1]) await add(db, 'user_counts', { delta });
    const row = await db
      .selectFrom('user_counts')
      .select((it) => [it.fn.countAll().as('count'), it.fn.sum('delta').as('sum'), it.fn.max('due_at').as('last')])
      .executeTakeFirstOrThrow();
    assert.deepEqual({ ...row }, { count: 2, sum: 2, last: rows.user_counts.due_at });
  });

  check('a write that throws leaves nothing behind', async ({ db, write }) => {
    const attempt = write(async (tx) => {
      await addEverything(tx);
      throw new Error('no');
    });
    await assert.rejects(attempt, /^Error: no$/);
    for (const table of tableNames) assert.deepEqual(await db.selectFrom(table).selectAll().execute(), []);
  });

  check('a read sees one state, whatever is written meanwhile', async ({ read, write }) => {
    let written: Promise<void> | undefined;
    await read(async (db) => {
      assert.deepEqual(await db.selectFrom('accounts').select('id').execute(), []);
      written = write((tx) => add(tx, 'accounts'));
      assert.deepEqual(await db.selectFrom('accounts').select('id').execute(), []);
    });
    await written;
    assert.equal((await read((db) => db.selectFrom('accounts').select('id').execute())).length, 1);
  });

  check('writers of one account take turns, so that none judges by what another is changing', async ({ db, write }) => {
    await add(db, 'accounts');
    const addNumber = () =>
      write(async (tx) => {
        await lockAccount(tx, 'account-1');
        const numbers = await tx.selectFrom('telephone_numbers').select('number').execute();
        await add(tx, 'telephone_numbers', { number: `+1555${numbers.length}` });
      });
    await Promise.all(Array.from({ length: 20 }, addNumber));
    assert.equal((await db.selectFrom('telephone_numbers').select('number').execute()).length, 20);
  });

  check('of writers racing for one row exactly one wins, and the others are told why', async ({ db, write }) => {
    await add(db, 'accounts');
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => write((tx) => add(tx, 'telephone_numbers'))));
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome) => uniqueViolation(outcome.reason));
    assert.deepEqual(lost, Array(7).fill({ table: 'telephone_numbers', columns: ['number'] }));
  });

  check('a row that points at nothing is refused', async ({ db }) => {
    const error = await failure(add(db, 'telephone_numbers'));
    assert.equal(isForeignKeyViolation(error), true);
    assert.equal(uniqueViolation(error), undefined);
  });

  check('an entity that is still pointed at cannot be deleted', async ({ db }) => {
    await addEverything(db);
    for (const table of ['providers', 'experiences', 'accounts'] as const) {
      assert.equal(isForeignKeyViolation(await failure(db.deleteFrom(table).execute())), true, table);
    }
  });

  check('grants and native ids go with their entity; events, deliveries and the read model stay', async ({ db }) => {
    await addEverything(db);
    for (const table of ['assignments', 'connections', 'users', 'telephone_numbers', 'accounts', 'principals'] as const) {
      await db.deleteFrom(table).execute();
    }
    for (const table of ['native_user_ids', 'account_grants'] as const)
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), []);
    for (const table of ['events', 'deliveries', 'user_list'] as const) {
      assert.equal((await db.selectFrom(table).selectAll().execute()).length, 1, table);
    }
  });

  check('a world that was kept is there when it is opened again', async ({ db, close }, place) => {
    await addEverything(db);
    await close();
    const again = await openStore(place);
    assert.deepEqual({ ...(await again.db.selectFrom('users').selectAll().executeTakeFirst()) }, rows.users);
    await again.close();
  });

  check('a world that a newer version of the kit has written to is refused', async ({ db, close }, place) => {
    const later = { name: '9999-later', timestamp: new Date().toISOString() };
    await db
      .insertInto('kysely_migration' as never)
      .values(later as never)
      .execute();
    await close();
    await assert.rejects(openStore(place), /newer version of the kit.*9999-later/);
  });
}

const UNIQUE: [keyof Tables, string[], Record<string, string>][] = [
  ['principals', ['telephone_number'], { id: 'other', alias: 'other' }],
  ['oauth_artifacts', ['kind', 'id'], {}],
  ['oauth_revocations', ['grant_id'], {}],
  ['oauth_assertions', ['id'], {}],
  ...(['providers', 'experiences', 'accounts', 'users', 'principals', 'clients', 'subscriptions'] as const).flatMap(
    (table): [keyof Tables, string[], Record<string, string>][] => {
      const free: Record<string, string> = table === 'principals' ? { telephone_number: '+15550101' } : {};
      return [
        [table, ['id'], { ...free, alias: 'other' }],
        [table, ['alias'], { ...free, id: 'other' }],
      ];
    },
  ),
  ['meta', ['key'], {}],
  ['telephone_numbers', ['number'], {}],
  ['native_user_ids', ['native_id', 'style'], {}],
  ['experience_grants', ['provider_id', 'experience_id'], {}],
  ['account_grants', ['principal_id', 'account_id'], {}],
  ['assignments', ['alias'], { id: 'other', target_value: '+15550101', agent_number: '+15550101' }],
  ['assignments', ['experience_id', 'target_type', 'target_value'], { id: 'other', alias: 'other', agent_number: '+15550101' }],
  ['assignments', ['agent_number'], { id: 'other', alias: 'other', target_value: '+15550101' }],
  ['connections', ['account_id', 'experience_id'], { id: 'other', alias: 'other' }],
  ['deliveries', ['subscription_id', 'event_id'], { id: 'other' }],
];

const NASTY = [
  '',
  ' ',
  '0',
  '10',
  '9',
  'A',
  'Z',
  '_',
  'a',
  'aa',
  'a-b',
  'ab',
  'É',
  'é',
  'e\u0301',
  'z',
  'ß',
  'Ω',
  '한',
  '\uffee',
  '😀',
  '𝒳',
];

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => assert.fail('it should have failed'),
    (error: unknown) => error,
  );
}
