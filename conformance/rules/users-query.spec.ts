import { randomUUID } from 'node:crypto';
import type { Client } from '../actors/api-client.ts';
import { type UsersQuery, userPage } from '../actors/lists.ts';
import { expectStatus } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need } from '../target/need.ts';
import { MALFORMED_UUID } from '../target/sample-values.ts';

/** The list is answered; with one change to the query it is refused. */
async function refused(api: Client, need: Need, change: UsersQuery): Promise<void> {
  const [token, accountId] = [await need('token'), await need('account.any')];
  await userPage(api, token, { accountId });
  expectStatus(await api.call('getUsers', { token, query: { accountId, ...change } }), 400);
}

test('A list without accountId gets 400.', rule('users.list.account-id-required'), async ({ api, need }) => {
  await refused(api, need, { accountId: undefined });
});

for (const [what, accountId] of [
  ['a word', MALFORMED_UUID],
  ['letters beyond f', 'zzzzzzzz-zzzz-4zzz-8zzz-zzzzzzzzzzzz'],
  ['more after a UUID', `${randomUUID()}-and-more`],
] as const) {
  test(`An accountId that is not a UUID gets 400: ${what}.`, rule('users.list.account-id-uuid'), async ({ api, need }) => {
    await refused(api, need, { accountId });
  });
}

test('A sortBy that is not allowed gets 400.', rule('users.list.sort-by-allowed'), async ({ api, need }) => {
  await refused(api, need, { sortBy: 'no such field' });
});

test('A sortOrder that is not allowed gets 400.', rule('users.list.sort-order-allowed'), async ({ api, need }) => {
  await refused(api, need, { sortOrder: 'sideways' });
});

for (const pageSize of ['0', '201', '-1', '1.5', 'ten', '10users', '4294967297']) {
  test(
    `A pageSize that is not an integer from 1 to 200 gets 400: ${pageSize}.`,
    rule('users.list.page-size-range'),
    async ({ api, need }) => {
      await refused(api, need, { pageSize });
    },
  );
}

// Whatever cursors are made of, none says so little.
for (const [what, cursor] of [
  ['characters of no encoding', '~ no cursor ~'],
  ['an encoded word', Buffer.from('no-cursor').toString('base64url')],
  ['an encoded empty object', Buffer.from('{}').toString('base64url')],
] as const) {
  test(`A malformed cursor gets 400: ${what}.`, rule('users.list.cursor-malformed'), async ({ api, need }) => {
    const [token, accountId] = [await need('token'), await need('account.any')];
    await userPage(api, token, { accountId });
    const answer = await api.call('getUsers', { token, query: { accountId, cursor } });
    // The list of an account that nobody has is empty: which of the two comes first is not shown.
    if (answer.status === 200) await need('account');
    expectStatus(answer, 400);
  });
}
