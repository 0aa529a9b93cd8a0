import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ok, refused } from '../expect.ts';
import type { Lab } from '../lab.ts';
import { rule } from '../rule.ts';
import { type Page, traverse } from '../steps.ts';
import { CROWD, idOf, NOBODY } from '../world.ts';

const CROWDED = idOf('accounts', 'crowd');
const SORT_BY = ['createdAt', 'updatedAt', 'firstName', 'lastName'] as const;
const SORT_ORDER = ['asc', 'desc'] as const;

interface User {
  readonly id: string;
  readonly accountId: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly createdAt: string;
  readonly updatedAt?: string | null;
}
interface Query {
  readonly accountId: string;
  readonly sortBy?: (typeof SORT_BY)[number];
  readonly sortOrder?: (typeof SORT_ORDER)[number];
  readonly pageSize?: number;
  readonly cursor?: string;
}
const ids = ({ entities }: Page<{ id: string }>) => entities.map(({ id }) => id);
const bytes = (text: string) => Buffer.from(text);

/** Names by their bytes, what is absent first, ties by id; backwards for desc. */
function inOrder(users: readonly User[], sortBy: (typeof SORT_BY)[number], sortOrder: (typeof SORT_ORDER)[number]): string[] {
  const sorted = users.toSorted((a, b) => Buffer.compare(bytes(a[sortBy] ?? ''), bytes(b[sortBy] ?? '')) || (a.id < b.id ? -1 : 1));
  return (sortOrder === 'asc' ? sorted : sorted.reverse()).map(({ id }) => id);
}

export function usersList(lab: Lab): void {
  const list = (query: Query) => ok(lab.api('full').GET('/users', { params: { query } }), 200);
  const raw = (search: string) => lab.send('GET', `/users?${search}`, { token: 'full' });
  const everybody = async (query: Query) => traverse((cursor) => list({ ...query, ...(cursor && { cursor }) }));

  test(rule('users.list.shape', 'users.list.by-account', 'users.updated-at-null'), async () => {
    const all = (await everybody({ accountId: CROWDED, pageSize: 200 })).flatMap(({ entities }) => entities) as User[];
    for (const user of all) assert.equal(user.accountId, CROWDED);
    // Names are absent, never null; a user that was never updated says so.
    const texts = all.map((user) => JSON.stringify(user)).join();
    assert.doesNotMatch(texts, /Name":null/);
    assert.ok(all.some((user) => !('firstName' in user)) && all.some((user) => !('lastName' in user)));
    assert.equal(all.filter(({ updatedAt }) => updatedAt === null).length, CROWD - Math.floor(CROWD / 3));
  });

  test(rule('users.list.count', 'users.list.count-present'), async () => {
    for (const pageSize of [1, 100, 200]) {
      const { count, cursor } = await list({ accountId: CROWDED, pageSize });
      assert.equal(count, CROWD);
      assert.equal((await list({ accountId: CROWDED, pageSize, cursor: cursor! })).count, CROWD);
    }
    assert.equal((await list({ accountId: lab.room().accountId })).count, 2);
  });

  test(rule('users.list.hidden-account-empty', 'users.list.no-match-empty'), async () => {
    for (const accountId of [idOf('accounts', 'hidden'), NOBODY, idOf('accounts', 'busy')]) {
      assert.deepEqual(await list({ accountId }), { entities: [], cursor: null, pageSize: 100, count: 0 });
    }
    const outsider = lab.api('outsider').GET('/users', { params: { query: { accountId: CROWDED } } });
    assert.deepEqual(await ok(outsider, 200), { entities: [], cursor: null, pageSize: 100, count: 0 });
    assert.equal((await ok(lab.api('reader').GET('/users', { params: { query: { accountId: CROWDED } } }))).count, CROWD);
  });

  test(rule('users.list.default-page-size'), async () => {
    const page = await list({ accountId: CROWDED });
    assert.deepEqual([page.entities.length, page.pageSize], [100, 100]);
  });

  test(rule('users.list.page-size'), async () => {
    for (const pageSize of [1, 101, 199, 200]) {
      const page = await list({ accountId: CROWDED, pageSize });
      assert.deepEqual([page.entities.length, page.pageSize], [pageSize, pageSize]);
    }
  });

  test(rule('users.list.page-size-may-change'), async () => {
    const first = await list({ accountId: CROWDED, pageSize: 3 });
    const second = await list({ accountId: CROWDED, pageSize: 200, cursor: first.cursor! });
    const last = await list({ accountId: CROWDED, cursor: second.cursor! });
    assert.equal(new Set([first, second, last].flatMap(ids)).size, CROWD);
    assert.equal(last.cursor, null);
  });

  test(rule('users.list.traversal', 'users.list.sorted'), async () => {
    const all = (await everybody({ accountId: CROWDED, pageSize: 200 })).flatMap(({ entities }) => entities) as User[];
    for (const sortBy of SORT_BY) {
      for (const sortOrder of SORT_ORDER) {
        const expected = inOrder(all, sortBy, sortOrder);
        for (const pageSize of [23, 65, 100, 200]) {
          const pages = await everybody({ accountId: CROWDED, sortBy, sortOrder, pageSize });
          assert.deepEqual(pages.flatMap(ids), expected, `${sortBy} ${sortOrder} ${pageSize}`);
          assert.equal(pages.length, Math.ceil(CROWD / pageSize));
        }
      }
    }
    assert.equal(all.length, CROWD);
  });

  test('A traversal one by one visits every user once, and the order is by createdAt, ascending, where none is asked for', async () => {
    const pages = await everybody({ accountId: CROWDED, pageSize: 1 });
    const all = pages.flatMap(({ entities }) => entities) as User[];
    assert.deepEqual(pages.flatMap(ids), inOrder(all, 'createdAt', 'asc'));
    assert.equal(pages.length, CROWD);
    const { cursor } = await list({ accountId: CROWDED });
    await list({ accountId: CROWDED, sortBy: 'createdAt', sortOrder: 'asc', cursor: cursor! });
  });

  test(rule('users.list.account-id-required', 'users.list.account-id-uuid'), async () => {
    for (const search of ['', 'pageSize=5', 'sortBy=createdAt']) await refused(raw(search), 400, 'users.list.account-id-required');
    for (const wrong of ['', 'no-uuid', `urn:uuid:${CROWDED}`, `${CROWDED}%00`])
      await refused(raw(`accountId=${wrong}`), 400, 'users.list.account-id-uuid');
  });

  const REFUSED = {
    'users.list.sort-by-allowed': [
      'sortBy=shoeSize',
      'sortBy=',
      'sortBy=CreatedAt',
      'sortBy=created_at',
      'sortBy=id',
      'sortBy=constructor',
    ],
    'users.list.sort-order-allowed': ['sortOrder=sideways', 'sortOrder=', 'sortOrder=ASC', 'sortBy=createdAt&sortOrder=down'],
    'users.list.page-size-range': ['0', '201', '-1', 'abc', '1.0', '', '1e2', '0x10', '%201', '99999999999999999999'].map(
      (wrong) => `pageSize=${wrong}`,
    ),
  } as const;
  test(rule('users.list.sort-by-allowed'), () => refusedAll('users.list.sort-by-allowed'));
  test(rule('users.list.sort-order-allowed'), () => refusedAll('users.list.sort-order-allowed'));
  test(rule('users.list.page-size-range'), () => refusedAll('users.list.page-size-range'));
  async function refusedAll(id: keyof typeof REFUSED): Promise<void> {
    for (const accountId of [CROWDED, NOBODY])
      for (const search of REFUSED[id]) await refused(raw(`accountId=${accountId}&${search}`), 400, id);
  }

  test(rule('users.list.cursor-malformed'), async () => {
    const cursor = (await list({ accountId: CROWDED, pageSize: 1 })).cursor!;
    const assignments = await ok(
      lab.api('full').GET('/experience/assignments', { params: { query: { accountId: idOf('accounts', 'busy') } } }),
    );
    for (const wrong of [
      'abc',
      '',
      '%00',
      'null',
      '{}',
      `${cursor}A`,
      `${cursor}%20`,
      cursor.slice(1),
      cursor.toLowerCase(),
      assignments.cursor,
    ]) {
      await refused(raw(`accountId=${CROWDED}&cursor=${wrong}`), 400, 'users.list.cursor-malformed');
    }
  });

  test(rule('users.list.cursor-other-account', 'users.list.cursor-other-sort-by', 'users.list.cursor-other-sort-order'), async () => {
    const bound = 'sortBy=firstName&sortOrder=desc';
    const { cursor } = (await ok(raw(`accountId=${CROWDED}&${bound}&pageSize=5`))) as { cursor: string };
    const other = (account: string, search: string) => raw(`accountId=${account}&${search}&cursor=${cursor}`);
    for (const account of [NOBODY, lab.room().accountId]) await refused(other(account, bound), 400, 'users.list.cursor-other-account');
    for (const search of ['sortBy=lastName&sortOrder=desc', 'sortOrder=desc'])
      await refused(other(CROWDED, search), 400, 'users.list.cursor-other-sort-by');
    for (const search of ['sortBy=firstName&sortOrder=asc', 'sortBy=firstName'])
      await refused(other(CROWDED, search), 400, 'users.list.cursor-other-sort-order');
    await ok(other(CROWDED.toUpperCase(), bound));
  });
}
