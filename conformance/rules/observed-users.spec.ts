import { entitiesOf } from '../actors/lists.ts';
import { sameId } from '../expect/compare.ts';
import { observe, observeStatus, questionOf } from '../expect/observed.ts';
import { requireSuccess } from '../expect/response.ts';
import { test } from '../runner/test.ts';

test(questionOf('users.token-without-claim-and-scope'), async ({ api, need }) => {
  const query = { accountId: await need('account') };
  requireSuccess('the same with both', await api.call('getUsers', { token: await need('token'), query }));
  const answer = await api.call('getUsers', { token: await need('token.without-claim-and-scope'), query });
  observeStatus('users.token-without-claim-and-scope', answer);
});

test(questionOf('users.list.count-hidden-account'), async ({ api, need }) => {
  const ask = async (accountId: string) =>
    requireSuccess('a list of users', await api.call('getUsers', { token: await need('token'), query: { accountId } }));
  const countOf = async (accountId: string) => ((await ask(accountId)).json as { count?: unknown }).count;
  const count = await countOf(await need('account.hidden'));
  observe('users.list.count-hidden-account', count === 0 ? 'zero' : count === undefined ? 'absent' : undefined);
});

test(questionOf('users.list.sort-fields'), async ({ api, need }) => {
  const [token, accountId] = [await need('token'), await need('account')];
  const sorts = async (sortBy: string | undefined, sortOrder: string | undefined) =>
    entitiesOf(await api.call('getUsers', { token, query: { accountId, sortBy, sortOrder } })) !== undefined;
  const isOrdered = (await sorts('createdAt', 'asc')) && (await sorts('createdAt', 'desc'));
  const others = [];
  for (const field of ['updatedAt', 'firstName', 'lastName']) others.push((await sorts(field, 'asc')) && (await sorts(field, 'desc')));
  if (isOrdered && others.every((sorted) => sorted)) observe('users.list.sort-fields', 'all');
  if (isOrdered && others.every((sorted) => !sorted)) observe('users.list.sort-fields', 'createdAt');
});

test(questionOf('users.native-id.ambiguous'), async ({ api, need }) => {
  const { nativeId, legacyNumeric, base62 } = await need('user.ambiguous');
  const answer = requireSuccess(
    'a user by its native id',
    await api.call('getUser', { token: await need('token'), path: { userId: nativeId } }),
  );
  const { id } = answer.json as { id?: unknown };
  if (sameId(id, legacyNumeric)) observe('users.native-id.ambiguous', 'legacy-numeric');
  if (sameId(id, base62)) observe('users.native-id.ambiguous', 'base62');
});
