import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { paths } from '../../../contract/generated/service.ts';
import { done, ok, refused } from '../expect.ts';
import type { Lab } from '../lab.ts';
import { rule } from '../rule.ts';
import { CONNECTION, CONNECTIONS, connect, experience, type Page, readConnection, traverse } from '../steps.ts';
import { idOf, MANY, NOBODY } from '../world.ts';

type Query = NonNullable<paths[typeof CONNECTIONS]['get']['parameters']['query']>;
const BUSY = idOf('accounts', 'busy');
const ids = ({ entities }: Page<{ id?: string }>) => entities.map(({ id }) => id!);

export function connectionsList(lab: Lab): void {
  const list = (query: Query) => ok(lab.api('full').GET(CONNECTIONS, { params: { query } }), 200);
  const raw = (search: string) => lab.send('GET', `${CONNECTIONS}?${search}`, { token: 'full' });

  /** Two rooms with two connections each. */
  const furnished = async () => {
    const [room, other] = [lab.room(), lab.room()];
    const made = [await connect(lab, 'agent', room.accountId), await connect(lab, 'general', room.accountId, 'ACTIVE')] as const;
    const others = [await connect(lab, 'agent', other.accountId)] as const;
    return { ...room, made, other: { ...other, made: others } };
  };

  test(rule('connections.list.shape', 'connections.list.by-account'), async () => {
    const { accountId, made } = await furnished();
    assert.deepEqual(await list({ accountId }), { entities: made, cursor: null, pageSize: 100 });
  });

  test(rule('connections.list.by-telephone-number', 'connections.list.by-tn'), async () => {
    const { numbers, made } = await furnished();
    for (const number of numbers) {
      assert.deepEqual((await list({ telephoneNumber: number })).entities, made);
      assert.deepEqual((await list({ tn: number })).entities, made);
    }
    assert.deepEqual((await list({ telephoneNumber: '+12065559999' })).entities, []);
  });

  test(rule('connections.list.account-wins'), async () => {
    const { accountId, made, other } = await furnished();
    const ignored = [
      `telephoneNumber=${encodeURIComponent(other.numbers[0])}`,
      'telephoneNumber=no-number',
      'tn=no-number',
      'telephoneNumber=&tn=',
      'tn=%00',
      'tn=a&tn=b',
    ];
    for (const search of ignored)
      assert.deepEqual(await ok(raw(`accountId=${accountId}&${search}`)), { entities: made, cursor: null, pageSize: 100 });
  });

  test(rule('connections.list.telephone-number-wins'), async () => {
    const { numbers, made, other } = await furnished();
    assert.deepEqual((await list({ telephoneNumber: numbers[0], tn: other.numbers[0] })).entities, made);
    // A malformed tn beside it is not looked at, by the decision on it.
    assert.deepEqual((await list({ telephoneNumber: numbers[0], tn: 'no-number' })).entities, made);
  });

  test(rule('connections.list.by-experience'), async () => {
    const { accountId, numbers, made } = await furnished();
    for (const selector of [{ accountId }, { telephoneNumber: numbers[0] }, { tn: numbers[1] }]) {
      assert.deepEqual(ids(await list({ ...selector, experienceId: experience('general') })), [made[1].id]);
      assert.deepEqual(ids(await list({ ...selector, experienceId: NOBODY })), []);
    }
  });

  test(rule('connections.list.default-page-size'), async () => {
    const page = await list({ accountId: BUSY });
    assert.deepEqual([page.entities.length, page.pageSize], [100, 100]);
  });

  test(rule('connections.list.page-size'), async () => {
    for (const pageSize of [1, 50, 100]) {
      const page = await list({ accountId: BUSY, pageSize });
      assert.deepEqual([page.entities.length, page.pageSize], [pageSize, pageSize]);
    }
  });

  test(rule('connections.list.cursor', 'http.pages.traversal-complete'), async () => {
    for (const pageSize of [1, 25, 100]) {
      const all = (await traverse((cursor) => list({ accountId: BUSY, pageSize, ...(cursor && { cursor }) }))).flatMap(ids);
      assert.equal(new Set(all).size, MANY);
      assert.deepEqual(all.toSorted(), all);
    }
  });

  test('A page that ends exactly at the last connection has no cursor; a deleted one does not stop a traversal', async () => {
    const { accountId } = lab.room();
    const made = [];
    for (const n of [1, 2, 3]) made.push((await connect(lab, `many-${n}`, accountId)).id);
    assert.equal((await list({ accountId, pageSize: 3 })).cursor, null);
    const first = await list({ accountId, pageSize: 1 });
    await done(lab.api('full').DELETE(CONNECTION, { params: { path: { experienceConnectionId: made[0]! } } }));
    assert.deepEqual(ids(await list({ accountId, cursor: first.cursor! })), made.slice(1));
  });

  test('A cursor of another list, or an altered one, gets 400', async () => {
    const cursor = (await list({ accountId: BUSY, pageSize: 1 })).cursor!;
    for (const wrong of [`${cursor}A`, cursor.slice(2), 'abc', '', '%00'])
      await refused(raw(`accountId=${BUSY}&cursor=${wrong}`), 400, 'lists.cursor.invalid');
    for (const other of [`accountId=${lab.room().accountId}`, `accountId=${BUSY}&experienceId=${experience('general')}`]) {
      await refused(raw(`${other}&cursor=${cursor}`), 400, 'lists.cursor.invalid');
    }
    const assignments = await ok(lab.api('full').GET('/experience/assignments', { params: { query: { accountId: BUSY } } }));
    await refused(raw(`accountId=${BUSY}&cursor=${assignments.cursor}`), 400, 'lists.cursor.invalid');
  });

  test(rule('connections.list.selector-required'), async () => {
    for (const search of ['', `experienceId=${NOBODY}`, 'pageSize=5'])
      await refused(raw(search), 400, 'connections.list.selector-required');
  });

  test(rule('connections.list.account-id-uuid'), async () => {
    for (const wrong of ['no-uuid', '', `urn:uuid:${BUSY}`, '%00']) {
      await refused(raw(`accountId=${wrong}`), 400, 'connections.list.account-id-uuid');
      await refused(raw(`accountId=${wrong}&telephoneNumber=%2B12065550011`), 400, 'connections.list.account-id-uuid');
    }
  });

  test(rule('connections.list.experience-id-uuid'), async () => {
    for (const wrong of ['no-uuid', ''])
      await refused(raw(`accountId=${BUSY}&experienceId=${wrong}`), 400, 'connections.list.experience-id-uuid');
  });

  test(rule('connections.list.telephone-number-format'), async () => {
    for (const wrong of ['12065550011', '+12065550011', '%2B1206555O011', '%2B0206', '', '%2B1234567890123456']) {
      await refused(raw(`telephoneNumber=${wrong}`), 400, 'connections.list.telephone-number-format');
      await refused(raw(`telephoneNumber=${wrong}&tn=%2B12065550011`), 400, 'connections.list.telephone-number-format');
    }
  });

  test(rule('connections.list.tn-format'), async () => {
    for (const wrong of ['12065550011', '%2B1206555O011', '']) await refused(raw(`tn=${wrong}`), 400, 'connections.list.tn-format');
  });

  test(rule('connections.list.page-size-range'), async () => {
    for (const wrong of ['0', '101', '-1', 'abc', '1.5', '', '1e1', '0x10', '%2010']) {
      await refused(raw(`accountId=${BUSY}&pageSize=${wrong}`), 400, 'connections.list.page-size-range');
    }
  });

  test(rule('connections.list.only-visible'), async () => {
    const stage = idOf('accounts', 'stage');
    assert.deepEqual(ids(await list({ accountId: stage })), [idOf('connections', 'of-readable-experience')]);
    for (const id of ids(await list({ accountId: idOf('accounts', 'readable') }))) await ok(readConnection(lab, id));
    const unseen = [{ accountId: idOf('accounts', 'hidden') }, { telephoneNumber: '+442079460103' }, { accountId: NOBODY }];
    for (const query of unseen) assert.deepEqual(ids(await list(query)), []);
    assert.deepEqual(ids(await ok(lab.api('outsider').GET(CONNECTIONS, { params: { query: { accountId: stage } } }))), []);
    const alone = await ok(lab.api('no-principal').GET(CONNECTIONS, { params: { query: { telephoneNumber: '+442079460103' } } }));
    assert.deepEqual(ids(alone), [idOf('connections', 'in-hidden-account')]);
  });
}
