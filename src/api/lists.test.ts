import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiKit, ASSIGNMENTS, type Body, CONNECTIONS, onBothEngines } from '../testing/api-kit.ts';
import { CROWD_SIZE, createNumberTarget, createUserTarget, getId } from './testing/world.ts';

const CROWD_ACCOUNT = getId('accounts', 'crowd');
/** The default for the `users.list.read-model-lag` decision, in milliseconds. */
const USERS_LAG_MS = 250;

onBothEngines('lists', (api) => {
  const listIds = (entities: readonly Body[]) => entities.map(({ id }) => id);
  const listUsersPath = async (accountId: string) => {
    const { entities, count } = (await api.send('GET', `/users?accountId=${accountId}`)).body;
    assert.equal(count, entities.length);
    return entities;
  };
  async function readAllPages(query: string): Promise<Body[]> {
    const entities: Body[] = [];
    let cursor: string | null = '';
    do {
      const page: Body = (await api.send('GET', `/users?${query}${cursor && `&cursor=${cursor}`}`)).body;
      assert.equal(page.count, CROWD_SIZE);
      entities.push(...page.entities);
      cursor = page.cursor;
    } while (cursor !== null);
    return entities;
  }

  test('For every page size, users are sorted by the bytes of the sort field, then by id, with absent values first', async () => {
    const users = await listUsersPath(CROWD_ACCOUNT);
    assert.equal(users.length, CROWD_SIZE);
    for (const sortBy of ['createdAt', 'updatedAt', 'firstName', 'lastName'] as const) {
      const toBytes = (entity: Body) => Buffer.from(entity[sortBy] ?? '');
      const sorted = listIds(users.toSorted((a, b) => Buffer.compare(toBytes(a), toBytes(b)) || (a.id < b.id ? -1 : 1)));
      for (const sortOrder of ['asc', 'desc']) {
        for (const pageSize of [1, 23, CROWD_SIZE]) {
          const found = await readAllPages(`accountId=${CROWD_ACCOUNT}&sortBy=${sortBy}&sortOrder=${sortOrder}&pageSize=${pageSize}`);
          assert.deepEqual(listIds(found), sortOrder === 'asc' ? sorted : sorted.toReversed(), `${sortBy} ${sortOrder} ${pageSize}`);
        }
      }
    }
  });

  test('If assignments are created and deleted between two pages, the unchanged assignments are neither skipped nor repeated, and new assignments come last', async () => {
    const { accountId, numbers, users } = api.getUnusedAccount();
    const created: Body[] = [];
    for (const target of [createNumberTarget(numbers[0]), createNumberTarget(numbers[1]), createUserTarget(users[0])])
      created.push(await api.assign('general', target));
    const first = (await api.send('GET', `${ASSIGNMENTS}?accountId=${accountId}&pageSize=2`)).body;
    await api.send('DELETE', `${ASSIGNMENTS}/${created[1]?.id}`);
    created.push(await api.assign('general', createUserTarget(users[1])));
    const rest = (await api.send('GET', `${ASSIGNMENTS}?accountId=${accountId}&cursor=${first.cursor}`)).body;
    assert.deepEqual(listIds([...first.entities, ...rest.entities]), listIds(created));
    assert.equal(rest.cursor, null);
  });

  test('The users list shows a change after the lag, but GET /users/{userId} shows the change immediately', async () => {
    const { accountId, alias } = api.getUnusedAccount();
    const before = await listUsersPath(accountId);
    const { id } = (await api.control('POST', '/state/users', { account: alias, firstName: 'New' })).body;
    const read = async () => (await api.send('GET', `/users/${id}`)).body;
    const created = await read();
    assert.deepEqual([created.firstName, created.updatedAt], ['New', null]);
    await expectChangeAfterLag(accountId, before, [...before, created]);
    await api.control('PATCH', `/state/users/${id}`, { firstName: 'Changed' });
    const changed = await read();
    assert.equal(changed.firstName, 'Changed');
    await expectChangeAfterLag(accountId, [...before, created], [...before, changed]);
    await api.control('DELETE', `/state/users/${id}`);
    assert.equal((await api.send('GET', `/users/${id}`)).status, 404);
    await expectChangeAfterLag(accountId, [...before, changed], before);
  });

  async function expectChangeAfterLag(accountId: string, before: readonly Body[], after: readonly Body[]): Promise<void> {
    await api.advance(USERS_LAG_MS - 1);
    assert.deepEqual(await listUsersPath(accountId), before);
    await api.advance(1);
    assert.deepEqual(await listUsersPath(accountId), after);
  }

  test('A user that is created and deleted within the lag never appears in the list', async () => {
    const { accountId, alias } = api.getUnusedAccount();
    const before = await listUsersPath(accountId);
    const { id } = (await api.control('POST', '/state/users', { account: alias })).body;
    await api.advance(USERS_LAG_MS / 2);
    await api.control('DELETE', `/state/users/${id}`);
    for (const by of [0, USERS_LAG_MS / 2, USERS_LAG_MS]) {
      await api.advance(by);
      assert.ok((await listUsersPath(accountId)).length <= before.length + 1);
    }
    assert.deepEqual(await listUsersPath(accountId), before);
  });

  test('If a user is updated several times within one millisecond, each update sets a later updatedAt than the previous update', async () => {
    const [id] = api.getUnusedAccount().users;
    let last = '';
    for (const firstName of ['A', 'B', 'C']) {
      await api.control('PATCH', `/state/users/${id}`, { firstName });
      const { updatedAt } = (await api.send('GET', `/users/${id}`)).body;
      assert.ok(updatedAt !== null && updatedAt > last);
      last = updatedAt;
    }
  });
});

const LIST_LAG_MS = 100;
const testListLag = (api: ApiKit) =>
  test('If the assignments and connections lists have a lag, they show creations and deletions after the lag', async () => {
    const { accountId, numbers } = api.getUnusedAccount();
    const paths = [`${ASSIGNMENTS}?accountId=${accountId}`, `${CONNECTIONS}?accountId=${accountId}`];
    const readLists = async () => {
      const pages = await Promise.all(paths.map((path) => api.send('GET', path)));
      return pages.flatMap(({ body }) => body.entities.map(({ id }) => id));
    };
    const before = await readLists();
    const assignment = await api.assign('general', createNumberTarget(numbers[0]));
    const connection = await api.connect('agent', accountId);
    const after = [assignment.id, connection.id];
    assert.deepEqual(await readLists(), before);
    await api.advance(LIST_LAG_MS);
    assert.deepEqual((await readLists()).toSorted(), [...before, ...after].toSorted());
    await api.send('DELETE', `${ASSIGNMENTS}/${assignment.id}`);
    await api.send('DELETE', `${CONNECTIONS}/${connection.id}`);
    assert.deepEqual((await readLists()).toSorted(), [...before, ...after].toSorted());
    await api.advance(LIST_LAG_MS);
    assert.deepEqual(await readLists(), before);
  });
const testReset = (api: ApiKit) =>
  test('If the lists have a lag, they show a restored snapshot immediately', async () => {
    const { accountId, numbers } = api.getUnusedAccount();
    const readList = async () => (await api.send('GET', `${ASSIGNMENTS}?accountId=${accountId}`)).body.entities.map(({ id }) => id);
    const { id } = await api.assign('general', createNumberTarget(numbers[0]));
    await api.advance(LIST_LAG_MS);
    assert.deepEqual(await readList(), [id]);
    await api.send('DELETE', `${ASSIGNMENTS}/${id}`);
    await api.control('PUT', '/snapshots/without-assignment');
    await api.control('POST', '/reset', { to: 'without-assignment' });
    assert.deepEqual(await readList(), []);
  });
const testListsWithLag = (api: ApiKit) => {
  testListLag(api);
  testReset(api);
};
onBothEngines('lists that lag', testListsWithLag, { set: { 'lists.read-model-lag': LIST_LAG_MS } });
