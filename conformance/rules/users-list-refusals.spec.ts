import { randomUUID } from 'node:crypto';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import type { Client } from '../actors/api-client.ts';
import { type UsersQuery, userIds, userPage } from '../actors/lists.ts';
import { expectStatus } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need } from '../target/need.ts';
import { MALFORMED_UUID } from '../target/sample-values.ts';

/** Changes to a valid query, each of which gets 400. */
const REFUSED: readonly (readonly [id: RuleId, title: string, change: UsersQuery])[] = [
  ['users.list.account-id-required', 'A list without accountId gets 400.', { accountId: undefined }],
  ['users.list.account-id-uuid', 'An accountId that is not a UUID gets 400: a word.', { accountId: MALFORMED_UUID }],
  [
    'users.list.account-id-uuid',
    'An accountId that is not a UUID gets 400: letters beyond f.',
    { accountId: 'zzzzzzzz-zzzz-4zzz-8zzz-zzzzzzzzzzzz' },
  ],
  [
    'users.list.account-id-uuid',
    'An accountId that is not a UUID gets 400: a UUID with a suffix.',
    { accountId: `${randomUUID()}-and-more` },
  ],
  ['users.list.sort-by-allowed', 'A sortBy that is not allowed gets 400.', { sortBy: 'no such field' }],
  ['users.list.sort-order-allowed', 'A sortOrder that is not allowed gets 400.', { sortOrder: 'sideways' }],
  ...['0', '201', '-1', '1.5', 'ten', '10users', '4294967297'].map(
    (pageSize) =>
      ['users.list.page-size-range', `A pageSize that is not an integer from 1 to 200 gets 400: ${pageSize}.`, { pageSize }] as const,
  ),
];
for (const [id, title, change] of REFUSED) {
  test(title, rule(id), async ({ api, need }) => {
    const [token, accountId] = [await need('token'), await need('account.any')];
    await userPage(api, token, { accountId });
    expectStatus(await api.call('getUsers', { token, query: { accountId, ...change } }), 400);
  });
}

// No server issues cursors that say so little.
for (const [variant, cursor] of [
  ['not encoded', '~ no cursor ~'],
  ['an encoded word', Buffer.from('no-cursor').toString('base64url')],
  ['an encoded empty object', Buffer.from('{}').toString('base64url')],
] as const) {
  test(`A malformed cursor gets 400: ${variant}.`, rule('users.list.cursor-malformed'), async ({ api, need }) => {
    const [token, accountId] = [await need('token'), await need('account.any')];
    await userPage(api, token, { accountId });
    const answer = await api.call('getUsers', { token, query: { accountId, cursor } });
    // The list of an unknown account is empty, and a target may return that before it reads the cursor.
    if (answer.status === 200) await need('account');
    expectStatus(answer, 400);
  });
}

/** Expects a cursor to work with its own query, and to be refused after a change. */
async function expectBound(api: Client, need: Need, sort: UsersQuery, change: UsersQuery): Promise<void> {
  const token = await need('token');
  const query = { accountId: await need('account.many-users'), pageSize: 50, ...sort };
  const { cursor, answer } = await userPage(api, token, query);
  must(cursor, 'the first page of more than 200 users has a cursor', answer);
  await userPage(api, token, { ...query, cursor });
  expectStatus(await api.call('getUsers', { token, query: { ...query, cursor, ...change } }), 400);
}

test('A cursor issued for another account gets 400.', rule('users.list.cursor-other-account'), async ({ api, need }) => {
  await expectBound(api, need, {}, { accountId: await need('account.second') });
});

test('A cursor issued for another sort field gets 400.', rule('users.list.cursor-other-sort-by'), async ({ api, need }) => {
  const { fields, ascending } = await need('users.sort');
  const [sortBy, other] = Object.values(fields);
  test.skip(other === undefined, 'not-applicable: the list can be sorted by one field only');
  await expectBound(api, need, { sortBy, sortOrder: ascending }, { sortBy: other });
});

test('A cursor issued for another sort order gets 400.', rule('users.list.cursor-other-sort-order'), async ({ api, need }) => {
  const { fields, ascending, descending } = await need('users.sort');
  await expectBound(api, need, { sortBy: Object.values(fields)[0], sortOrder: ascending }, { sortOrder: descending });
});

test('A cursor is not bound to pageSize.', rule('users.list.page-size-may-change'), async ({ api, need }) => {
  const [token, accountId] = [await need('token'), await need('account.many-users')];
  const both = await userPage(api, token, { accountId, pageSize: 120 });
  const first = await userPage(api, token, { accountId, pageSize: 50 });
  must(first.cursor, 'the first page of more than 200 users has a cursor', first.answer);
  const second = await userPage(api, token, { accountId, pageSize: 70, cursor: first.cursor });
  must(second.entities.length === 70, 'the second page has the new size', second.answer);
  must(userIds([first, second]).join() === userIds([both]).join(), 'the second page begins where the first one ended', second.answer);
});
