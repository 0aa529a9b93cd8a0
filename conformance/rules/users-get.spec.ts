import { randomUUID } from 'node:crypto';
import { readUser, type ShownUser, userPage } from '../actors/lists.ts';
import { sameId } from '../expect/compare.ts';
import { telltales } from '../expect/problem.ts';
import { expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need } from '../target/need.ts';

const OPERATION = 'getUser';
/** Neither Base62 nor legacy numeric nor a UUID. */
const UNSUPPORTED_ID = 'other~infrastructure~17';

const withoutScope = async (need: Need) => (await need('token.without-scope'))['users:manage'];

test('A user is found by its unified UUID.', rule('users.get.by-unified-id'), async ({ api, need }) => {
  const userId = await (await need('users'))();
  const answer = await api.call(OPERATION, { token: await need('token'), path: { userId } });
  must(sameId(expectSuccess<ShownUser>(OPERATION, answer, 200).id, userId), 'it is the user asked for', answer);
});

test('A user carries id, accountId and createdAt, of the types of the table.', rule('users.get.shape'), async ({ api, need }) => {
  const { accountId } = await readUser(api, await need('token'), await (await need('users'))());
  must(sameId(accountId, await need('account')), 'accountId is the account of the user');
});

for (const [id, capability, style] of [
  ['users.get.by-base62-id', 'user.base62', 'URL-safe Base62'],
  ['users.get.by-legacy-numeric-id', 'user.legacy-numeric', 'legacy numeric'],
] as const) {
  test(`A user is found by its ${style} id.`, rule(id), async ({ api, need }) => {
    const [token, { nativeId, unifiedId }] = [await need('token'), await need(capability)];
    const user = await readUser(api, token, unifiedId);
    const answer = await api.call(OPERATION, { token, path: { userId: nativeId } });
    const found = answer.json as Partial<ShownUser> | undefined;
    // Compared without the id, which belongs to another rule.
    const isSame = (['accountId', 'firstName', 'lastName', 'createdAt', 'updatedAt'] as const).every(
      (name) => found?.[name] === user[name],
    );
    must(answer.status === 200 && isSame, 'it is the same user', answer);
  });

  test(`The response always carries the unified id: for a ${style} id.`, rule('users.get.unified-id'), async ({ api, need }) => {
    const { nativeId, unifiedId } = await need(capability);
    const answer = await api.call(OPERATION, { token: await need('token'), path: { userId: nativeId } });
    const { id: foundId } = (answer.json ?? {}) as { id?: string };
    must(answer.status === 200 && sameId(foundId, unifiedId), 'the id is the unified one', answer);
  });
}

for (const [title, missingId] of [
  ['A user that does not exist gets 404: a unified id.', async () => randomUUID()],
  ['A user that does not exist gets 404: a native id.', async () => `Nobody${randomUUID().replaceAll('-', '')}`],
  ['A user that does not exist gets 404: a long number.', async () => '9'.repeat(30)],
  ['A user that the caller may not view gets 404, not 403: a hidden user.', (need: Need) => need('user.hidden')],
  ['A user whose id style is unsupported gets 404.', async () => UNSUPPORTED_ID],
] as const) {
  test(title, rule('users.get.not-found'), async ({ api, need }) => {
    const [token, userId] = [await need('token'), await (await need('users'))()];
    expectSuccess(OPERATION, await api.call(OPERATION, { token, path: { userId } }), 200);
    expectStatus(await api.call(OPERATION, { token, path: { userId: await missingId(need) } }), 404);
  });
}

test(
  'A user that the caller may not view gets 404, not 403: a caller without access.',
  rule('users.get.not-found'),
  async ({ api, need }) => {
    const userId = await (await need('users'))();
    expectSuccess(OPERATION, await api.call(OPERATION, { token: await need('token'), path: { userId } }), 200);
    expectStatus(await api.call(OPERATION, { token: await need('token.outsider'), path: { userId } }), 404);
  },
);

/** Headers whose value may depend on the cause. */
const TELLING_HEADERS = ['cache-control', 'vary', 'allow', 'link', 'www-authenticate'];

for (const [cause, idOf] of [
  ['may not be viewed', (need: Need) => need('user.hidden')],
  ['has an id of an unsupported style', async () => UNSUPPORTED_ID],
] as const) {
  test(
    `A 404 does not reveal its cause: a user that ${cause} looks like a missing one.`,
    rule('users.get.causes-indistinguishable'),
    async ({ api, need }) => {
      const token = await need('token');
      expectSuccess(OPERATION, await api.call(OPERATION, { token, path: { userId: await (await need('users'))() } }), 200);
      const lookUp = async (id: string) => {
        const answer = await api.call(OPERATION, { token, path: { userId: id } });
        expectStatus(answer, 404);
        return { answer, id };
      };
      const other = await lookUp(await idOf(need));
      const missing = [await lookUp(randomUUID()), await lookUp(randomUUID())] as const;
      const headers = TELLING_HEADERS.filter((name) => missing.every(({ answer }) => answer.headers[name] !== other.answer.headers[name]));
      const found = [...telltales(missing, other), ...headers.map((name) => `the value of ${name}`)];
      must(found.length === 0, `a user that ${cause} looks like a missing one, without ${found.join(', ')}`, other.answer);
    },
  );
}

test('Listing users with a token that lacks the scope gets 403.', rule('users.list.scope'), async ({ api, need }) => {
  const query = { accountId: await need('account.any') };
  await userPage(api, await need('token'), query);
  expectStatus(await api.call('getUsers', { token: await withoutScope(need), query }), 403);
});

test('Reading a user with a token that lacks the scope gets 403.', rule('users.get.scope'), async ({ api, need }) => {
  const userId = await (await need('users'))();
  await readUser(api, await need('token'), userId);
  expectStatus(await api.call('getUser', { token: await withoutScope(need), path: { userId } }), 403);
});

const visibleAccount = (need: Need) => need('account.many-users');
const visibleUser = async (need: Need) => (await need('users'))();

for (const [variant, tokenOf, accountOf, userOf] of [
  ['a caller that may only read', (need: Need) => need('token.reader'), visibleAccount, visibleUser],
  ['a caller without access', (need: Need) => need('token.outsider'), visibleAccount, visibleUser],
  ['a token without the principal claim', (need: Need) => need('token.without-claim'), visibleAccount, visibleUser],
  ['an expired token', (need: Need) => need('token.expired'), visibleAccount, visibleUser],
  ['a hidden account and user', (need: Need) => need('token'), (need: Need) => need('account.hidden'), (need: Need) => need('user.hidden')],
  ['an unknown account and user', (need: Need) => need('token'), async () => randomUUID(), async () => randomUUID()],
] as const) {
  test(
    `A request about users gets 403 for no other reason than the scope: ${variant}.`,
    rule('users.forbidden-only-by-scope'),
    async ({ api, need }) => {
      const [accountId, userId] = [await accountOf(need), await userOf(need)];
      const sendBoth = async (token: string) => [
        await api.call('getUsers', { token, query: { accountId } }),
        await api.call('getUser', { token, path: { userId } }),
      ];
      for (const answer of await sendBoth(await withoutScope(need))) expectStatus(answer, 403);
      for (const answer of await sendBoth(await tokenOf(need))) must(answer.status !== 403, 'only the scope decides on 403', answer);
    },
  );
}
