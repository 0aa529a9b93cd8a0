import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { paths } from '../../../contract/generated/service.ts';
import { done, ok, refused } from '../expect.ts';
import type { Lab } from '../lab.ts';
import { rule } from '../rule.ts';
import { ASSIGNMENT, ASSIGNMENTS, account, assign, experience, number, type Page, readAssignment, traverse, user } from '../steps.ts';
import { idOf, MANY, NOBODY } from '../world.ts';

type Query = NonNullable<paths[typeof ASSIGNMENTS]['get']['parameters']['query']>;
const BUSY = idOf('accounts', 'busy');
const ids = ({ entities }: Page<{ id: string }>) => entities.map(({ id }) => id);

export function assignmentsList(lab: Lab): void {
  const list = (query: Query) => ok(lab.api('full').GET(ASSIGNMENTS, { params: { query } }), 200);
  const raw = (search: string) => lab.send('GET', `${ASSIGNMENTS}?${search}`, { token: 'full' });
  const accountId = BUSY;

  /** One room with an assignment of every kind, in order. */
  const furnished = async () => {
    const room = lab.room();
    const made = {
      agentLine: await assign(lab, 'agent', number(room.numbers[0])),
      generalLine: await assign(lab, 'general', number(room.numbers[0])),
      generalUser: await assign(lab, 'general', user(room.users[0])),
      agentAccount: await assign(lab, 'agent', account(room.accountId)),
    };
    return { ...room, ...made };
  };

  test(
    rule('assignments.list.shape', 'assignments.list.updated-at-prefixed', 'assignments.list.by-account', 'http.pages.entities-array'),
    async () => {
      const { accountId, agentLine, generalLine, generalUser, agentAccount } = await furnished();
      const page = await list({ accountId });
      assert.deepEqual(page, { entities: [agentLine, generalLine, generalUser, agentAccount], cursor: null, pageSize: 100 });
    },
  );

  test(rule('assignments.list.by-account-and-experience'), async () => {
    const { accountId, agentLine, agentAccount } = await furnished();
    assert.deepEqual(ids(await list({ accountId, experienceId: experience('agent') })), [agentLine.id, agentAccount.id]);
    assert.deepEqual(ids(await list({ accountId, experienceId: NOBODY })), []);
  });

  test(rule('assignments.list.by-account-and-type'), async () => {
    const { accountId, agentLine, generalLine, agentAccount } = await furnished();
    assert.deepEqual(ids(await list({ accountId, targetType: 'PHONE_NUMBER' })), [agentLine.id, generalLine.id]);
    assert.deepEqual(ids(await list({ accountId, targetType: 'ACCOUNT' })), [agentAccount.id]);
  });

  test(rule('assignments.list.by-account-experience-and-type'), async () => {
    const { accountId, generalUser } = await furnished();
    assert.deepEqual(ids(await list({ accountId, experienceId: experience('general'), targetType: 'USER' })), [generalUser.id]);
    assert.deepEqual(ids(await list({ accountId, experienceId: experience('agent'), targetType: 'USER' })), []);
  });

  test(rule('assignments.list.by-target'), async () => {
    const { accountId, numbers, users, agentLine, generalLine, generalUser, agentAccount } = await furnished();
    assert.deepEqual(ids(await list(number(numbers[0]))), [agentLine.id, generalLine.id]);
    assert.deepEqual(ids(await list(user(users[0]))), [generalUser.id]);
    assert.deepEqual(ids(await list(account(accountId))), [agentAccount.id]);
    assert.deepEqual(ids(await list(number(numbers[1]))), []);
    // With accountId as well, all of them apply.
    assert.deepEqual(ids(await list({ accountId, ...number(numbers[0]) })), [agentLine.id, generalLine.id]);
    assert.deepEqual(ids(await list({ accountId: BUSY, ...number(numbers[0]) })), []);
  });

  test(rule('assignments.list.default-page-size', 'http.pages.page-size-integer'), async () => {
    const page = await list({ accountId });
    assert.deepEqual([page.entities.length, page.pageSize], [100, 100]);
    assert.notEqual(page.cursor, null);
  });

  test(rule('assignments.list.page-size', 'http.pages.at-most-page-size'), async () => {
    for (const pageSize of [1, 7, 99, 100]) {
      const page = await list({ accountId, pageSize });
      assert.deepEqual([page.entities.length, page.pageSize], [pageSize, pageSize]);
    }
  });

  test(rule('assignments.list.cursor', 'http.pages.traversal-complete', 'http.pages.cursor-null-at-end'), async () => {
    for (const pageSize of [1, 10, MANY - 1, 100]) {
      const pages = await traverse((cursor) => list({ accountId, pageSize: Math.min(pageSize, 100), ...(cursor && { cursor }) }));
      const all = pages.flatMap(ids);
      assert.equal(all.length, MANY);
      assert.equal(new Set(all).size, MANY);
      assert.deepEqual(all.toSorted(), all);
    }
    assert.deepEqual(ids(await list({ accountId, pageSize: 3 })), ids(await list({ accountId, pageSize: 3 })));
  });

  test('A page that ends exactly at the last assignment has no cursor, and a page size may change on the way', async () => {
    const { accountId } = await furnished();
    assert.equal((await list({ accountId, pageSize: 4 })).cursor, null);
    const first = await list({ accountId, pageSize: 1 });
    const rest = await list({ accountId, pageSize: 3, cursor: first.cursor! });
    assert.deepEqual([rest.entities.length, rest.cursor], [3, null]);
  });

  test('Nothing that stays is missed or repeated when the list changes between two pages, and what is new is at the end', async () => {
    const { accountId, agentLine, generalLine, generalUser, agentAccount, users } = await furnished();
    const first = await list({ accountId, pageSize: 2 });
    await done(lab.api('full').DELETE(ASSIGNMENT, { params: { path: { assignmentId: generalLine.id } } }));
    const added = await assign(lab, 'agent', user(users[1]));
    const rest = await list({ accountId, cursor: first.cursor! });
    assert.deepEqual([...ids(first), ...ids(rest)], [agentLine.id, generalLine.id, generalUser.id, agentAccount.id, added.id]);
  });

  test('A cursor that was altered, invented or issued for another list gets 400', async () => {
    const cursor = (await list({ accountId, pageSize: 1 })).cursor!;
    const altered = [
      `${cursor}A`,
      cursor.slice(1),
      cursor.slice(0, -1),
      cursor.toUpperCase(),
      'abc',
      '',
      '%00',
      'null',
      encodeURIComponent('é'),
    ];
    for (const wrong of altered) await refused(raw(`accountId=${accountId}&cursor=${wrong}`), 400, 'lists.cursor.invalid');
    for (const other of [
      `accountId=${NOBODY}`,
      `accountId=${accountId}&targetType=ACCOUNT`,
      `targetType=ACCOUNT&targetValue=${accountId}`,
    ]) {
      await refused(raw(`${other}&cursor=${cursor}`), 400, 'lists.cursor.invalid');
    }
    await ok(raw(`accountId=${accountId}&cursor=${cursor}`));
  });

  const REFUSED = [
    ['assignments.list.filter-required', ['', 'pageSize=5', 'cursor=abc']],
    ['assignments.list.value-needs-type', [`targetValue=%2B12065550100`, `targetValue=%2B12065550100&accountId=${BUSY}`]],
    ['assignments.list.account-id-uuid', ['no-uuid', '', `urn:uuid:${BUSY}`, `${BUSY}0`, '%00'].map((wrong) => `accountId=${wrong}`)],
    ['assignments.list.experience-needs-account', [`experienceId=${NOBODY}`, `experienceId=${NOBODY}&targetType=ACCOUNT`]],
    ['assignments.list.experience-id-uuid', ['no-uuid', ''].map((wrong) => `accountId=${BUSY}&experienceId=${wrong}`)],
    [
      'assignments.list.target-value-format',
      [
        'PHONE_NUMBER&targetValue=12065550100',
        'PHONE_NUMBER&targetValue=+12065550100',
        'USER&targetValue=ada',
        'ACCOUNT&targetValue=%2B12065550100',
        'USER&targetValue=',
      ].map((wrong) => `targetType=${wrong}`),
    ],
    ['assignments.list.target-type-not-allowed', ['FAX', 'account', ''].map((wrong) => `accountId=${BUSY}&targetType=${wrong}`)],
    ['assignments.list.type-alone', ['targetType=USER']],
    [
      'assignments.list.page-size-integer',
      ['abc', '1.5', '', '0x10', '1e1', '%205', '5%20', '%2B5', '٣'].map((wrong) => `accountId=${BUSY}&pageSize=${wrong}`),
    ],
  ] as const;
  test(rule('assignments.list.filter-required'), () => refusedAll(0));
  test(rule('assignments.list.value-needs-type'), () => refusedAll(1));
  test(rule('assignments.list.account-id-uuid'), () => refusedAll(2));
  test(rule('assignments.list.experience-needs-account'), () => refusedAll(3));
  test(rule('assignments.list.experience-id-uuid'), () => refusedAll(4));
  test(rule('assignments.list.target-value-format'), () => refusedAll(5));
  test(rule('assignments.list.target-type-not-allowed'), () => refusedAll(6));
  test(rule('assignments.list.type-alone'), () => refusedAll(7));
  test(rule('assignments.list.page-size-integer'), () => refusedAll(8));
  async function refusedAll(index: number): Promise<void> {
    const [id, searches] = REFUSED[index]!;
    for (const search of searches) await refused(raw(search), 400, id);
  }

  test('A pageSize out of range gets 400, by the decision on it', async () => {
    for (const wrong of ['0', '101', '-1', '00', '99999999999999999999']) {
      await refused(raw(`accountId=${BUSY}&pageSize=${wrong}`), 400, 'assignments.list.page-size-out-of-range');
    }
  });

  test(rule('assignments.list.only-visible'), async () => {
    const stage = idOf('accounts', 'stage');
    assert.deepEqual(ids(await list({ accountId: stage })), [idOf('assignments', 'of-readable-experience')]);
    assert.deepEqual(ids(await list(user(idOf('users', 'ada')))), [idOf('assignments', 'of-readable-experience')]);
    for (const search of [{ accountId: idOf('accounts', 'hidden') }, number('+442079460103'), { accountId: NOBODY }])
      assert.deepEqual(ids(await list(search)), []);
    for (const id of ids(await list({ accountId: idOf('accounts', 'readable') }))) await ok(readAssignment(lab, id));
    assert.deepEqual((await ok(lab.api('outsider').GET(ASSIGNMENTS, { params: { query: { accountId: stage } } }))).entities, []);
    assert.deepEqual(ids(await ok(lab.api('no-principal').GET(ASSIGNMENTS, { params: { query: number('+442079460103') } }))), [
      idOf('assignments', 'in-hidden-account'),
    ]);
  });
}
