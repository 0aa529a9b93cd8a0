import { randomUUID } from 'node:crypto';
import { must } from '../../src/expect/rule-broken.ts';
import { HOSTILE_CURSORS, UNSUPPORTED_NATIVE_ID } from '../../src/refusals/opaque-values.ts';
import type { Client, Query } from '../actors/api-client.ts';
import { sendForEach } from '../actors/in-parallel.ts';
import { readCursor, requestUserPage } from '../actors/lists.ts';
import { listRefusalChecks } from '../actors/refusals.ts';
import { findRevealingDifferences, type LookupResponse } from '../expect/problem.ts';
import { expectStatus, expectSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need } from '../target/capabilities.ts';
import { endAsNotApplicable } from '../target/check-report.ts';

for (const { id, variant, check } of listRefusalChecks('users.')) test(...rule(id, variant), check);

for (const [cause, idOf] of [
  ['may not be viewed', (need: Need) => need('user.hidden')],
  ['has an id in an unsupported style', async () => UNSUPPORTED_NATIVE_ID],
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
    const [missing, tested]: [LookupResponse[], LookupResponse[]] = [[], []];
    // In this order, neither a value that changes with the time nor a header of every second or third response looks like a difference.
    for (const kind of 'mtmttmmt')
      (kind === 'm' ? missing : tested).push(await requestUser(kind === 'm' ? randomUUID() : await idOf(need)));
    expectSuccess(visible, 200);
    const found = findRevealingDifferences(missing, tested);
    must(
      found.length === 0,
      `the 404 for a user that ${cause} equals the 404 for a missing user. Different parts: ${found.join(', ')}`,
      tested[0]?.answer,
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

test(...rule('users.list.cursor-malformed'), async ({ api, need }) => {
  const [token, accountId] = [await need('token'), await need('account.any')];
  await sendForEach(api, 'getUsers', HOSTILE_CURSORS, async ({ value: cursor }) => {
    const answer = await api.call('getUsers', { token, query: { accountId, cursor } });
    // For an unknown account, a target may return an empty list without reading the cursor.
    if (answer.status === 200) await need('account');
    expectStatus(answer, 400);
  });
  await requestUserPage(api, token, { accountId });
});

async function expectCursorBoundToQuery(api: Client, need: Need, sort: Query, change: Query): Promise<void> {
  const token = await need('token');
  const query = { accountId: await need('account.many-users'), pageSize: 50, ...sort };
  const first = await api.call('getUsers', { token, query });
  expectStatus(first, 200);
  const cursor = readCursor(first);
  must(cursor, 'in a list of more than 200 users, the first page has a cursor', first);
  expectStatus(await api.call('getUsers', { token, query: { ...query, cursor, ...change } }), 400);
  expectSuccess(first, 200);
  await requestUserPage(api, token, { ...query, cursor });
}

test(...rule('users.list.cursor-other-account'), async ({ api, need }) => {
  await expectCursorBoundToQuery(api, need, {}, { accountId: await need('account.second') });
});

test(...rule('users.list.cursor-other-sort-by'), async ({ api, need }) => {
  const { fields, ascending } = await need('users.sort');
  const [sortBy, other] = Object.values(fields);
  if (other === undefined) endAsNotApplicable('the list can be sorted by only one field');
  await expectCursorBoundToQuery(api, need, { sortBy, sortOrder: ascending }, { sortBy: other });
});

test(...rule('users.list.cursor-other-sort-order'), async ({ api, need }) => {
  const { fields, ascending, descending } = await need('users.sort');
  await expectCursorBoundToQuery(api, need, { sortBy: Object.values(fields)[0], sortOrder: ascending }, { sortOrder: descending });
});
