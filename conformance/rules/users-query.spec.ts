import type { Client } from '../support/client.ts';
import type { Need } from '../support/need.ts';
import { rule } from '../support/rule.ts';
import { test } from '../support/test.ts';
import { type UsersQuery, userPage } from '../support/users.ts';
import { refusal } from '../support/verify.ts';
import { MALFORMED_UUID } from '../support/wrong.ts';

/** The list is answered; with one change to the query it is refused. */
async function refused(api: Client, need: Need, change: UsersQuery): Promise<void> {
  const [token, accountId] = [await need('token'), await need('account.many-users')];
  await userPage(api, token, { accountId });
  refusal(await api.call('getUsers', { token, query: { accountId, ...change } }), 400);
}

test('A list without accountId gets 400.', rule('users.list.account-id-required'), async ({ api, need }) => {
  await refused(api, need, { accountId: undefined });
});

test('An accountId that is not a UUID gets 400.', rule('users.list.account-id-uuid'), async ({ api, need }) => {
  await refused(api, need, { accountId: MALFORMED_UUID });
});

test('A sortBy that is not allowed gets 400.', rule('users.list.sort-by-allowed'), async ({ api, need }) => {
  await refused(api, need, { sortBy: 'no such field' });
});

test('A sortOrder that is not allowed gets 400.', rule('users.list.sort-order-allowed'), async ({ api, need }) => {
  await refused(api, need, { sortOrder: 'sideways' });
});

for (const pageSize of ['0', '201', '-1', '1.5', 'ten']) {
  test(
    `A pageSize that is not an integer from 1 to 200 gets 400: ${pageSize}.`,
    rule('users.list.page-size-range'),
    async ({ api, need }) => {
      await refused(api, need, { pageSize });
    },
  );
}

test('A malformed cursor gets 400.', rule('users.list.cursor-malformed'), async ({ api, need }) => {
  await refused(api, need, { cursor: '~ no cursor ~' });
});
