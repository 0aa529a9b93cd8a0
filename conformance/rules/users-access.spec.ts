import { randomUUID } from 'node:crypto';
import { readUser, userPage } from '../actors/lists.ts';
import { expectStatus } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need } from '../target/need.ts';

const SCOPE = 'users:manage';

test('Listing users with a token that lacks the scope gets 403.', rule('users.list.scope'), async ({ api, need }) => {
  const query = { accountId: await need('account.any') };
  await userPage(api, await need('token'), query);
  expectStatus(await api.call('getUsers', { token: (await need('token.without-scope'))[SCOPE], query }), 403);
});

test('Reading a user with a token that lacks the scope gets 403.', rule('users.get.scope'), async ({ api, need }) => {
  const userId = await (await need('users'))();
  await readUser(api, await need('token'), userId);
  expectStatus(await api.call('getUser', { token: (await need('token.without-scope'))[SCOPE], path: { userId } }), 403);
});

for (const [who, identity] of [
  ['a caller that reads', 'token.reader'],
  ['a caller that sees nothing', 'token.outsider'],
  ['a token without the principal claim', 'token.without-claim'],
  ['a token that has expired', 'token.expired'],
] as const) {
  test(
    `A request about users gets 403 for no other reason than the scope: ${who}.`,
    rule('users.forbidden-only-by-scope'),
    async ({ api, need }) => {
      const [accountId, userId] = [await need('account.many-users'), await (await need('users'))()];
      const ask = async (token: string) => [
        await api.call('getUsers', { token, query: { accountId } }),
        await api.call('getUser', { token, path: { userId } }),
      ];
      for (const answer of await ask((await need('token.without-scope'))[SCOPE])) expectStatus(answer, 403);
      for (const answer of await ask(await need(identity))) must(answer.status !== 403, 'the scope alone decides on 403', answer);
    },
  );
}

for (const [what, query, path] of [
  ['what is hidden', async (need) => need('account.hidden'), async (need) => need('user.hidden')],
  ['what does not exist', async () => randomUUID(), async () => randomUUID()],
] satisfies [string, (need: Need) => Promise<string>, (need: Need) => Promise<string>][]) {
  test(
    `A request about users gets 403 for no other reason than the scope: ${what}.`,
    rule('users.forbidden-only-by-scope'),
    async ({ api, need }) => {
      const [accountId, userId] = [await query(need), await path(need)];
      const ask = async (token: string) => [
        await api.call('getUsers', { token, query: { accountId } }),
        await api.call('getUser', { token, path: { userId } }),
      ];
      for (const answer of await ask((await need('token.without-scope'))[SCOPE])) expectStatus(answer, 403);
      for (const answer of await ask(await need('token'))) must(answer.status !== 403, 'the scope alone decides on 403', answer);
    },
  );
}
