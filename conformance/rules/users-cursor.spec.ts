import type { Client } from '../actors/api-client.ts';
import { type UsersQuery, userIds, userPage } from '../actors/lists.ts';
import { expectStatus } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need } from '../target/need.ts';

/** A cursor that leads on for the query it was issued for is refused with one change to that query. */
async function bound(api: Client, need: Need, asked: UsersQuery, change: UsersQuery): Promise<void> {
  const token = await need('token');
  const query = { accountId: await need('account.many-users'), pageSize: 50, ...asked };
  const { cursor, answer } = await userPage(api, token, query);
  must(cursor, 'the first page of more than 200 users has a cursor', answer);
  await userPage(api, token, { ...query, cursor });
  expectStatus(await api.call('getUsers', { token, query: { ...query, cursor, ...change } }), 400);
}

test('A cursor issued for another account gets 400.', rule('users.list.cursor-other-account'), async ({ api, need }) => {
  await bound(api, need, {}, { accountId: await need('account.second') });
});

test('A cursor issued for another sort field gets 400.', rule('users.list.cursor-other-sort-by'), async ({ api, need }) => {
  const { fields, ascending } = await need('users.sort');
  const [sortBy, other] = Object.values(fields);
  test.skip(other === undefined, 'not-applicable: the list can be sorted by one field only');
  await bound(api, need, { sortBy, sortOrder: ascending }, { sortBy: other });
});

test('A cursor issued for another sort order gets 400.', rule('users.list.cursor-other-sort-order'), async ({ api, need }) => {
  const { fields, ascending, descending } = await need('users.sort');
  await bound(api, need, { sortBy: Object.values(fields)[0], sortOrder: ascending }, { sortOrder: descending });
});

test('A cursor is not bound to pageSize.', rule('users.list.page-size-may-change'), async ({ api, need }) => {
  const [token, accountId] = [await need('token'), await need('account.many-users')];
  const both = userIds([await userPage(api, token, { accountId, pageSize: 120 })]);
  const first = await userPage(api, token, { accountId, pageSize: 50 });
  must(first.cursor, 'the first page of more than 200 users has a cursor', first.answer);
  const next = await userPage(api, token, { accountId, pageSize: 70, cursor: first.cursor });
  must(next.entities.length === 70, 'the next page holds as many as are asked for now', next.answer);
  must(userIds([first, next]).join() === both.join(), 'the next page goes on where the first one ended', next.answer);
});
