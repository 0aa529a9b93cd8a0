import { must } from '../../src/expect/rule-broken.ts';
import { isSameId } from '../../src/expect/same-id.ts';
import type { Client } from '../actors/api-client.ts';
import {
  listUserIds,
  readEntities,
  readUser,
  repeatIfBroken,
  requestUserPage,
  requestUserPages,
  type UserInResponse,
} from '../actors/lists.ts';
import { expectStatus, expectSuccess } from '../expect/response.ts';
import { onRuleBroken, retryUntilPassed } from '../expect/rule-broken.ts';
import { rule, WAITING_TAG } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { endAsNotTestable, withdraw } from '../target/check-report.ts';

// No other check changes these users meanwhile: in a kit, each worker has its own accounts, and other targets have only one worker.

test(...rule('users.get.current'), async ({ api, need, operator }) => {
  const platform = await operator('platform.users', 'account.second');
  const [token, accountId] = [await need('token'), await need('account.second')];
  const userId = await platform.create(accountId, { firstName: 'Ann' });
  must((await readUser(api, token, userId)).firstName === 'Ann', "the response contains a new user's firstName");
  await platform.rename(userId, 'Beth');
  const { firstName, updatedAt } = await readUser(api, token, userId);
  must(firstName === 'Beth' && updatedAt !== null, 'immediately after an update, the response contains the new firstName and an updatedAt');
  await platform.remove(userId);
  expectStatus(await api.call('getUser', { token, path: { userId } }), 404);
});

async function findListedUser(api: Client, token: string, accountId: string, userId: string) {
  const pages = await requestUserPages(api, token, { accountId });
  const user = pages.flatMap(({ entities }) => entities).find(({ id }) => isSameId(id, userId));
  return { pages, user, answer: pages[0]?.answer };
}

test(...rule('users.list.eventually-current', undefined, { tag: WAITING_TAG }), async ({ api, need, operator }) => {
  const platform = await operator('platform.users', 'account.second', 'users.read-model-bound');
  const [token, accountId, bound] = [await need('token'), await need('account.second'), await need('users.read-model-bound')];
  const expectListed = (isRight: (user: UserInResponse | undefined) => boolean, expected: string) =>
    retryUntilPassed(bound, async () => {
      const { pages, user, answer } = await findListedUser(api, token, accountId, userId);
      must(isRight(user), `${expected} within ${bound} ms`, answer);
      const total = listUserIds(pages).length;
      const isExact = pages.every(({ count }) => count === undefined || count === total);
      must(isExact, `the count is ${total} within ${bound} ms`, answer);
    });
  // Waiting would not make an invalid list valid, so report it now.
  await requestUserPages(api, token, { accountId });
  const userId = await platform.create(accountId, { firstName: 'Ann' });
  await expectListed((user) => user?.firstName === 'Ann', 'the list contains a new user');
  await platform.rename(userId, 'Beth');
  await expectListed(
    (user) => user?.firstName === 'Beth' && user.updatedAt !== null,
    'the list shows an updated user with its new name and updatedAt',
  );
  await platform.remove(userId);
  await expectListed((user) => user === undefined, 'the list no longer contains a deleted user');
});

test(
  ...rule('http.pages.traversal-complete', 'the last user of a page is deleted', { tag: WAITING_TAG }),
  async ({ api, need, operator }) => {
    const [accounts, platform] = [await operator('platform.accounts'), await operator('platform.users', 'users.read-model-bound')];
    const [token, bound, accountId] = [await need('token'), await need('users.read-model-bound'), await accounts.create()];
    const ids: string[] = [];
    while (ids.length < 4) ids.push(await platform.create(accountId));
    // Other clients may create users meanwhile.
    const isIn = (listed: readonly string[]) => (id: string) => listed.filter((each) => isSameId(each, id)).length === 1;
    const expectListed = (expected: readonly string[], removed?: string) =>
      retryUntilPassed(bound, async () => {
        const pages = await requestUserPages(api, token, { accountId, pageSize: 2 });
        const listed = listUserIds(pages);
        const isCurrent = expected.every(isIn(listed)) && !(removed && isIn(listed)(removed));
        must(isCurrent, `the list contains the ${expected.length} users that exist`, pages[0]?.answer);
        return pages;
      });
    const page = (await expectListed(ids))[0]!;
    const onPage = listUserIds([page]);
    const [shown, others] = [ids.filter(isIn(onPage)), ids.filter((id) => !isIn(onPage)(id))];
    const last = ids.find((id) => isSameId(onPage.at(-1), id)) ?? endAsNotTestable("the last user on the page is another client's");
    await platform.remove(last);
    await expectListed(
      ids.filter((id) => id !== last),
      last,
    );
    const rest = listUserIds(await requestUserPages(api, token, { accountId, pageSize: 2, cursor: page.cursor }));
    must(others.every(isIn(rest)) && !shown.some(isIn(rest)), `the next pages contain the other ${others.length} users once`, page.answer);
  },
);

/** Retry for at least this many milliseconds, because other clients may change users during an attempt. */
const MIN_ATTEMPTS_MS = 1500;

test(...rule('users.list.count'), async ({ api, need, has }) => {
  const [token, accountId] = [await need('token'), await need('account.many-users')];
  const first = await requestUserPage(api, token, { accountId });
  if (first.count === undefined) endAsNotTestable('the users list has no count');
  must(first.count >= first.entities.length, 'the count is not smaller than the number of users on a page', first.answer);
  const bound = has('users.read-model-bound') ? await need('users.read-model-bound') : 0;
  const expectExactCount = async () => {
    const pages = await requestUserPages(api, token, { accountId });
    const total = listUserIds(pages).length;
    must(total > 200, 'the list contains more than 200 users');
    for (const { count, answer } of pages)
      must(count === undefined || count === total, `the count on each page is ${total}, the number of users on all pages`, answer);
  };
  await repeatIfBroken([api, 'getUsers', { token, query: { accountId } }], expectExactCount, () =>
    // A list that may lag behind may also be wrong for a while.
    retryUntilPassed(Math.max(MIN_ATTEMPTS_MS, bound), expectExactCount, bound === 0 ? withdraw : undefined),
  );
});

test(...rule('users.updated-at-null'), async ({ api, need, operator }) => {
  const platform = await operator('platform.users', 'account.second', 'users.read-model-bound');
  const [token, accountId, bound] = [await need('token'), await need('account.second'), await need('users.read-model-bound')];
  const userId = await platform.create(accountId);
  must((await readUser(api, token, userId)).updatedAt == null, 'updatedAt is null or absent when the user is read');
  const { user, answer } = await retryUntilPassed(bound, async () => {
    const listed = await findListedUser(api, token, accountId, userId);
    must(listed.user, 'the list contains the user', listed.answer);
    return listed;
  });
  must(user?.updatedAt == null, 'updatedAt is null or absent in the users list', answer);
});

test(...rule('users.get.shape'), async ({ api, need, operator }) => {
  const platform = await operator('platform.users', 'account.second');
  const userId = await platform.create(await need('account.second'), { firstName: 'Ann' });
  await platform.rename(userId, 'Beth');
  await readUser(api, await need('token'), userId);
});

test(...rule('users.list.shape'), async ({ api, need, operator }) => {
  const platform = await operator('platform.users', 'account.second', 'users.read-model-bound');
  const [accountId, bound] = [await need('account.second'), await need('users.read-model-bound')];
  const call = { token: await need('token'), query: { accountId, pageSize: 200 } };
  await platform.rename(await platform.create(accountId, { firstName: 'Ann' }), 'Beth');
  expectSuccess(await api.call('getUsers', call), 200);
  const updated = await retryUntilPassed(bound, async () => {
    const answer = await api.call('getUsers', call);
    const isUpdated = readEntities(answer)?.some(({ updatedAt }) => updatedAt != null);
    must(isUpdated, 'the list contains an updatedAt');
    return answer;
  }).catch(onRuleBroken(() => endAsNotTestable('after an update, updatedAt is still null or absent for every user in the users list')));
  expectSuccess(updated, 200);
});
