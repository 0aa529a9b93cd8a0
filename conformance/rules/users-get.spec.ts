import { randomUUID } from 'node:crypto';
import { readUser, type ShownUser } from '../actors/lists.ts';
import { sameId } from '../expect/compare.ts';
import { telltales } from '../expect/problem.ts';
import { expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Capability } from '../target/capabilities.ts';

const OPERATION = 'getUser';
/** Of no style that Base62, legacy numeric or UUID could be. */
const UNSUPPORTED_ID = 'other~infrastructure~17';
/** Headers whose value is the cause's, not the moment's. */
const TELLING = ['cache-control', 'vary', 'allow', 'link', 'www-authenticate'];
const NATIVE = [
  ['users.get.by-base62-id', 'user.base62', 'URL-safe Base62'],
  ['users.get.by-legacy-numeric-id', 'user.legacy-numeric', 'legacy numeric'],
] as const;

test('A user is found by its unified UUID.', rule('users.get.by-unified-id'), async ({ api, need }) => {
  const userId = await (await need('users'))();
  const answer = await api.call(OPERATION, { token: await need('token'), path: { userId } });
  must(sameId(expectSuccess<ShownUser>(OPERATION, answer, 200).id, userId), 'the user asked for is answered', answer);
});

test('A user carries id, accountId and createdAt, of the types of the table.', rule('users.get.shape'), async ({ api, need }) => {
  const { accountId } = await readUser(api, await need('token'), await (await need('users'))());
  must(sameId(accountId, await need('account')), 'accountId is the account of the user');
});

for (const [id, capability, style] of NATIVE) {
  test(`A user is found by its ${style} id.`, rule(id), async ({ api, need }) => {
    const [token, { nativeId, unifiedId }] = [await need('token'), await need(capability)];
    const user = await readUser(api, token, unifiedId);
    const answer = await api.call(OPERATION, { token, path: { userId: nativeId } });
    const found = answer.json as Partial<ShownUser> | undefined;
    // By all but the id: which id is shown is another rule's.
    const same = (['accountId', 'firstName', 'lastName', 'createdAt', 'updatedAt'] as const).every((name) => found?.[name] === user[name]);
    must(answer.status === 200 && same, 'the same user is answered', answer);
  });

  test(`The answer always carries the unified id: asked for by the ${style} one.`, rule('users.get.unified-id'), async ({ api, need }) => {
    const { nativeId, unifiedId } = await need(capability);
    const answer = await api.call(OPERATION, { token: await need('token'), path: { userId: nativeId } });
    must(answer.status === 200 && sameId((answer.json as { id?: string } | undefined)?.id, unifiedId), 'the id is the unified one', answer);
  });
}

for (const [by, nobody] of [
  ['unified', randomUUID()],
  ['native', `Nobody${randomUUID().replaceAll('-', '')}`],
  ['long numeric', '9'.repeat(30)],
] as const) {
  test(`A user that does not exist gets 404: by a ${by} id.`, rule('users.get.not-found'), async ({ api, need }) => {
    const [token, userId] = [await need('token'), await (await need('users'))()];
    expectSuccess(OPERATION, await api.call(OPERATION, { token, path: { userId } }), 200);
    expectStatus(await api.call(OPERATION, { token, path: { userId: nobody } }), 404);
  });
}

test('A user that the caller may not view gets 404, not 403.', rule('users.get.not-found'), async ({ api, need }) => {
  const [token, userId] = [await need('token'), await (await need('users'))()];
  expectSuccess(OPERATION, await api.call(OPERATION, { token, path: { userId } }), 200);
  expectStatus(await api.call(OPERATION, { token, path: { userId: await need('user.hidden') } }), 404);
  expectStatus(await api.call(OPERATION, { token: await need('token.outsider'), path: { userId } }), 404);
});

test('A user whose id style is unsupported gets 404.', rule('users.get.not-found'), async ({ api, need }) => {
  const [token, userId] = [await need('token'), await (await need('users'))()];
  expectSuccess(OPERATION, await api.call(OPERATION, { token, path: { userId } }), 200);
  expectStatus(await api.call(OPERATION, { token, path: { userId: UNSUPPORTED_ID } }), 404);
});

for (const [cause, capability] of [
  ['may not be viewed', 'user.hidden'],
  ['has an id of an unsupported style', undefined],
] satisfies [string, Capability | undefined][]) {
  test(`That a user ${cause} cannot be told from the 404.`, rule('users.get.causes-indistinguishable'), async ({ api, need }) => {
    const token = await need('token');
    expectSuccess(OPERATION, await api.call(OPERATION, { token, path: { userId: await (await need('users'))() } }), 200);
    const missing = async (id: string) => {
      const answer = await api.call(OPERATION, { token, path: { userId: id } });
      expectStatus(answer, 404);
      return { answer, id };
    };
    const other = await missing(capability === undefined ? UNSUPPORTED_ID : await need(capability));
    const likes = [await missing(randomUUID()), await missing(randomUUID())] as const;
    const headers = TELLING.filter((name) => likes.every(({ answer }) => answer.headers[name] !== other.answer.headers[name]));
    const told = [...telltales(likes, other), ...headers.map((name) => `the value of ${name}`)];
    must(told.length === 0, `a user that ${cause} looks as one that does not exist, without ${told.join(', ')}`, other.answer);
  });
}
