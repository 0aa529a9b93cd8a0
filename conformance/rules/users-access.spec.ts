import { must } from '../support/broken.ts';
import { rule } from '../support/rule.ts';
import { test } from '../support/test.ts';
import { readUser, userPage } from '../support/users.ts';
import { refusal } from '../support/verify.ts';

const SCOPE = 'users:manage';

test('Listing users with a token that lacks the scope gets 403.', rule('users.list.scope'), async ({ api, need }) => {
  const query = { accountId: await need('account.many-users') };
  await userPage(api, await need('token'), query);
  refusal(await api.call('getUsers', { token: (await need('token.without-scope'))[SCOPE], query }), 403);
});

test('Reading a user with a token that lacks the scope gets 403.', rule('users.get.scope'), async ({ api, need }) => {
  const userId = await (await need('users'))();
  await readUser(api, await need('token'), userId);
  refusal(await api.call('getUser', { token: (await need('token.without-scope'))[SCOPE], path: { userId } }), 403);
});

for (const [who, identity] of [
  ['reads', 'token.reader'],
  ['sees nothing', 'token.outsider'],
] as const) {
  test(
    `A request about users gets 403 for no other reason than the scope: a caller that ${who}.`,
    rule('users.forbidden-only-by-scope'),
    async ({ api, need }) => {
      const [accountId, userId] = [await need('account.many-users'), await (await need('users'))()];
      const ask = async (token: string) => [
        await api.call('getUsers', { token, query: { accountId } }),
        await api.call('getUser', { token, path: { userId } }),
      ];
      for (const answer of await ask((await need('token.without-scope'))[SCOPE])) refusal(answer, 403);
      for (const answer of await ask(await need(identity))) must(answer.status !== 403, 'the scope alone decides on 403', answer);
    },
  );
}

test(
  'A request about users gets 403 for no other reason than the scope: what is hidden.',
  rule('users.forbidden-only-by-scope'),
  async ({ api, need }) => {
    const [query, path] = [{ accountId: await need('account.hidden') }, { userId: await need('user.hidden') }];
    const ask = async (token: string) => [await api.call('getUsers', { token, query }), await api.call('getUser', { token, path })];
    for (const answer of await ask((await need('token.without-scope'))[SCOPE])) refusal(answer, 403);
    for (const answer of await ask(await need('token'))) must(answer.status !== 403, 'the scope alone decides on 403', answer);
  },
);
