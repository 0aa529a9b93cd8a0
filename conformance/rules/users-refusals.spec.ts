import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import type { Client } from '../actors/api-client.ts';
import { readCursor, requestUserPage, type UsersQuery } from '../actors/lists.ts';
import { createCapabilityPlaceholder, createRefusalCheck, describeChange, type Refusal } from '../actors/refusals.ts';
import { findRevealingDifferences } from '../expect/problem.ts';
import { expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need } from '../target/need.ts';
import { MALFORMED_UUIDS, UNKNOWN_UUID } from '../target/sample-values.ts';

/** A user id that is neither Base62 nor legacy numeric nor a UUID. */
const UNSUPPORTED_ID = 'other~infrastructure~17';

const REFUSALS: Readonly<Partial<Record<OperationId, readonly Refusal[]>>> = {
  getUsers: [
    ['users.list.scope', { as: 'without-scope' }, 403],
    ['users.list.account-id-required', { values: { accountId: undefined } }, 400],
    ...MALFORMED_UUIDS.map((accountId): Refusal => ['users.list.account-id-uuid', { values: { accountId } }, 400]),
    ['users.list.sort-by-allowed', { values: { sortBy: 'an unknown field' } }, 400],
    ['users.list.sort-order-allowed', { values: { sortOrder: 'sideways' } }, 400],
    ...['0', '201', '-1', '1.5', 'ten', '10users', '4294967297'].map(
      (pageSize): Refusal => ['users.list.page-size-range', { values: { pageSize } }, 400],
    ),
  ],
  getUser: [
    ['users.get.scope', { as: 'without-scope' }, 403],
    ['users.get.not-found', { as: 'outsider' }, 404],
    ['users.get.not-found', { id: createCapabilityPlaceholder('user.hidden') }, 404],
    ['users.get.not-found', { id: UNKNOWN_UUID }, 404],
    ['users.get.not-found', { id: 'Nobody5b3c9d1e7f204a68b1c2d3e4f5a6b7c8' }, 404],
    ['users.get.not-found', { id: '9'.repeat(30) }, 404],
    ['users.get.not-found', { id: UNSUPPORTED_ID }, 404],
  ],
};

for (const [operation, refusals] of Object.entries(REFUSALS) as [OperationId, readonly Refusal[]][])
  for (const [id, change, ...statuses] of refusals)
    test(...rule(id, describeChange(change)), createRefusalCheck(operation, change, ...statuses));

for (const [cause, idOf] of [
  ['may not be viewed', (need: Need) => need('user.hidden')],
  ['has an id in an unsupported style', async () => UNSUPPORTED_ID],
] as const) {
  test(...rule('users.get.causes-indistinguishable', `a user that ${cause} appears to be missing`), async ({ api, need }) => {
    const token = await need('token');
    const visible = await api.call('getUser', { token, path: { userId: await (await need('users'))() } });
    expectStatus(visible, 200);
    const requestUser = async (id: string) => {
      const answer = await api.call('getUser', { token, path: { userId: id } });
      expectStatus(answer, 404);
      return { answer, id };
    };
    // Request the tested user between the missing ones. Otherwise, a value that changes with the time could look like a difference.
    const before = await requestUser(randomUUID());
    const tested = await requestUser(await idOf(need));
    const missing = [before, await requestUser(randomUUID())] as const;
    expectSuccess('getUser', visible, 200);
    const found = findRevealingDifferences(missing, tested);
    must(
      found.length === 0,
      `the 404 for a user that ${cause} equals the 404 for a missing user. Different parts: ${found.join(', ')}`,
      tested.answer,
    );
  });
}

/** For these calls, getUsers and getUser may return any status except 403. */
const NOT_FOUND_CASES = [
  ['a caller that may only read', 'token.reader', 'account.many-users', 'users'],
  ['a caller without access', 'token.outsider', 'account.many-users', 'users'],
  ['a token without the principal claim', 'token.without-claim', 'account.many-users', 'users'],
  ['an expired token', 'token.expired', 'account.many-users', 'users'],
  ['a hidden account and user', 'token', 'account.hidden', 'user.hidden'],
  ['an unknown account and user', 'token', undefined, undefined],
] as const;
for (const [variant, caller, account, user] of NOT_FOUND_CASES) {
  test(...rule('users.forbidden-only-by-scope', variant), async ({ api, need }) => {
    const accountId = account === undefined ? randomUUID() : await need(account);
    const userId = user === undefined ? randomUUID() : user === 'users' ? await (await need('users'))() : await need(user);
    const callGetUsersAndGetUser = async (token: string) => [
      await api.call('getUsers', { token, query: { accountId } }),
      await api.call('getUser', { token, path: { userId } }),
    ];
    for (const answer of await callGetUsersAndGetUser((await need('token.without-scope'))['users:manage'])) expectStatus(answer, 403);
    for (const answer of await callGetUsersAndGetUser(await need(caller)))
      must(answer.status !== 403, 'the status is not 403, because 403 is only for a missing scope', answer);
  });
}

// These cursors contain no position, so every server must refuse them.
for (const [variant, cursor] of [
  ['not encoded', '~ no cursor ~'],
  ['an encoded word', Buffer.from('no-cursor').toString('base64url')],
  ['an encoded empty object', Buffer.from('{}').toString('base64url')],
] as const) {
  test(...rule('users.list.cursor-malformed', variant), async ({ api, need }) => {
    const [token, accountId] = [await need('token'), await need('account.any')];
    const answer = await api.call('getUsers', { token, query: { accountId, cursor } });
    // For an unknown account, a target may return an empty list without reading the cursor.
    if (answer.status === 200) await need('account');
    expectStatus(answer, 400);
    await requestUserPage(api, token, { accountId });
  });
}

async function expectCursorBoundToQuery(api: Client, need: Need, sort: UsersQuery, change: UsersQuery): Promise<void> {
  const token = await need('token');
  const query = { accountId: await need('account.many-users'), pageSize: 50, ...sort };
  const first = await api.call('getUsers', { token, query });
  expectStatus(first, 200);
  const cursor = readCursor(first);
  must(cursor, 'in a list of more than 200 users, the first page has a cursor', first);
  expectStatus(await api.call('getUsers', { token, query: { ...query, cursor, ...change } }), 400);
  expectSuccess('getUsers', first, 200);
  await requestUserPage(api, token, { ...query, cursor });
}

test(...rule('users.list.cursor-other-account'), async ({ api, need }) => {
  await expectCursorBoundToQuery(api, need, {}, { accountId: await need('account.second') });
});

test(...rule('users.list.cursor-other-sort-by'), async ({ api, need }) => {
  const { fields, ascending } = await need('users.sort');
  const [sortBy, other] = Object.values(fields);
  test.skip(other === undefined, 'not-applicable: the list can be sorted by only one field');
  await expectCursorBoundToQuery(api, need, { sortBy, sortOrder: ascending }, { sortBy: other });
});

test(...rule('users.list.cursor-other-sort-order'), async ({ api, need }) => {
  const { fields, ascending, descending } = await need('users.sort');
  await expectCursorBoundToQuery(api, need, { sortBy: Object.values(fields)[0], sortOrder: ascending }, { sortOrder: descending });
});
