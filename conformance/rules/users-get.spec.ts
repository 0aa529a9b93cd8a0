import { readUser, type ShownUser } from '../actors/lists.ts';
import { sameId } from '../expect/compare.ts';
import { expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

const OPERATION = 'getUser';

test(...rule('users.get.by-unified-id'), async ({ api, need }) => {
  const userId = await (await need('users'))();
  const answer = await api.call(OPERATION, { token: await need('token'), path: { userId } });
  must(sameId(expectSuccess<ShownUser>(OPERATION, answer, 200).id, userId), 'it is the user asked for', answer);
});

test(...rule('users.get.shape'), async ({ api, need }) => {
  const { accountId } = await readUser(api, await need('token'), await (await need('users'))());
  must(sameId(accountId, await need('account')), 'accountId is the account of the user');
});

for (const [id, capability, style] of [
  ['users.get.by-base62-id', 'user.base62', 'URL-safe Base62'],
  ['users.get.by-legacy-numeric-id', 'user.legacy-numeric', 'legacy numeric'],
] as const) {
  test(...rule(id), async ({ api, need }) => {
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

  test(...rule('users.get.unified-id', `for a ${style} id`), async ({ api, need }) => {
    const { nativeId, unifiedId } = await need(capability);
    const answer = await api.call(OPERATION, { token: await need('token'), path: { userId: nativeId } });
    const { id: foundId } = (answer.json ?? {}) as { id?: string };
    must(answer.status === 200 && sameId(foundId, unifiedId), 'the id is the unified one', answer);
  });
}
