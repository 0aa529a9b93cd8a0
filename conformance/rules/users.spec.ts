import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { must } from '../../src/expect/rule-broken.ts';
import { isSameId } from '../../src/expect/same-id.ts';
import type { Client, Query } from '../actors/api-client.ts';
import {
  failEndlessList,
  listUserIds,
  readUser,
  repeatIfBroken,
  requestUserPage,
  requestUserPages,
  type UserInResponse,
  type UserPage,
} from '../actors/lists.ts';
import { expectStatus, expectSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need } from '../target/capabilities.ts';
import { endAsNotTestable } from '../target/check-report.ts';

test(...rule('users.get.by-unified-id'), async ({ api, need }) => {
  const userId = await (await need('users'))();
  const answer = await api.call('getUser', { token: await need('token'), path: { userId } });
  must(isSameId(expectSuccess<UserInResponse>(answer, 200).id, userId), 'the response contains the requested user', answer);
});

test(...rule('users.get.shape'), async ({ api, need }) => {
  const { accountId } = await readUser(api, await need('token'), await (await need('users'))());
  must(isSameId(accountId, await need('account')), 'accountId is the id of the main account');
});

for (const [id, capability, style] of [
  ['users.get.by-base62-id', 'user.base62', 'URL-safe Base62'],
  ['users.get.by-legacy-numeric-id', 'user.legacy-numeric', 'legacy numeric'],
] as const) {
  test(...rule(id), async ({ api, need }) => {
    const [token, { nativeId, unifiedId }] = [await need('token'), await need(capability)];
    const answer = await api.call('getUser', { token, path: { userId: nativeId } });
    expectStatus(answer, 200);
    const user = await readUser(api, token, unifiedId);
    const found = answer.json as Partial<UserInResponse> | undefined;
    // Ignore the id, because the rule users.get.unified-id tests it.
    const isSame = (['accountId', 'firstName', 'lastName', 'createdAt', 'updatedAt'] as const).every(
      (name) => found?.[name] === user[name],
    );
    must(isSame, 'the responses for the native id and the unified id show the same user', answer);
  });

  test(...rule('users.get.unified-id', `for a ${style} id`), async ({ api, need }) => {
    const { nativeId, unifiedId } = await need(capability);
    const answer = await api.call('getUser', { token: await need('token'), path: { userId: nativeId } });
    expectStatus(answer, 200);
    const { id: foundId } = (answer.json ?? {}) as { id?: string };
    must(isSameId(foundId, unifiedId), 'the response contains the unified id', answer);
  });
}

test(...rule('users.get.base62-case'), async ({ api, need }) => {
  const [token, { nativeId, unifiedId }] = [await need('token'), await need('user.base62')];
  const otherCase = nativeId.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  if (otherCase === nativeId) endAsNotTestable('the Base62 id has no letters');
  const answer = await api.call('getUser', { token, path: { userId: otherCase } });
  // The id in the other letter case may identify a different user.
  expectStatus(answer, 200, 404);
  must(isSameId((await readUser(api, token, nativeId)).id, unifiedId), 'the Base62 id identifies its user');
  const isOther = answer.status === 404 || !isSameId((answer.json as Partial<UserInResponse> | undefined)?.id, unifiedId);
  must(isOther, 'the id in another letter case does not identify the same user', answer);
});

async function requestCrowdedPage(api: Client, need: Need): Promise<UserPage> {
  const page = await requestUserPage(api, await need('token'), { accountId: await need('account.many-users') });
  must(page.entities.length > 0, 'the list of an account with users is not empty', page.answer);
  return page;
}

test(...rule('users.list.shape'), async ({ api, need }) => {
  await requestCrowdedPage(api, need);
});

test(...rule('users.list.by-account'), async ({ api, need }) => {
  const token = await need('token');
  const accountOf = new Map<string, string>();
  for (const accountId of [await need('account.many-users'), await need('account'), await need('account.second')]) {
    for (const { entities, answer } of await requestUserPages(api, token, { accountId, pageSize: 200 })) {
      const areOfAccount = entities.every((user) => isSameId(user.accountId, accountId));
      must(areOfAccount, `all listed users belong to the account ${accountId}`, answer);
      // A user belongs to one account, so only one account's list may contain the user.
      for (const { id } of entities) {
        const other = accountOf.get(id.toLowerCase()) ?? accountId;
        must(isSameId(other, accountId), `only one account lists the user ${id}, not both ${other} and ${accountId}`, answer);
        accountOf.set(id.toLowerCase(), accountId);
      }
    }
  }
  must(accountOf.size > 200, 'the lists of all accounts together contain more than 200 users');
});

test(...rule('users.list.count-present'), async ({ api, need }) => {
  const { count, answer } = await requestCrowdedPage(api, need);
  must(count !== undefined, 'a page has a count', answer);
});

for (const [variant, account, token] of [
  ['an account that the token may not view', 'account.hidden', 'token'],
  ['a caller without access', 'account.many-users', 'token.outsider'],
] as const) {
  test(...rule('users.list.hidden-account-empty', variant), async ({ api, need }) => {
    await requestCrowdedPage(api, need);
    const { entities, cursor, answer } = await requestUserPage(api, await need(token), { accountId: await need(account) });
    must(entities.length === 0 && cursor === undefined, 'the list is one empty page', answer);
  });
}

test(...rule('users.list.no-match-empty'), async ({ api, need }) => {
  await requestCrowdedPage(api, need);
  const { entities, answer } = await requestUserPage(api, await need('token'), { accountId: randomUUID() });
  must(entities.length === 0, 'the list of an unknown account is empty', answer);
});

test(...rule('users.list.default-page-size'), async ({ api, need }) => {
  const { entities, cursor, answer } = await requestCrowdedPage(api, need);
  must(entities.length === 100 && cursor, 'in a list of more than 200 users, the first page contains 100 and has a cursor', answer);
});

for (const pageSize of [1, 7, 200]) {
  test(...rule('users.list.page-size', pageSize), async ({ api, need }) => {
    const [token, query] = [await need('token'), { accountId: await need('account.many-users'), pageSize }];
    const { entities, cursor, answer } = await requestUserPage(api, token, query);
    must(entities.length === pageSize && cursor, `in a list of more than 200 users, the first page contains ${pageSize}`, answer);
  });
}

/** Expects the pages to contain the same users as pages with other boundaries, which would lose other users. */
async function expectCompleteTraversal(api: Client, need: Need, query: Query = {}): Promise<void> {
  const [token, accountId] = [await need('token'), await need('account.many-users')];
  await repeatIfBroken([api, 'getUsers', { token, query: { accountId } }], async () => {
    const expected = listUserIds(await requestUserPages(api, token, { accountId, pageSize: 200 }, failEndlessList));
    must(expected.length > 200, 'the list contains more than 200 users');
    const pages = await requestUserPages(api, token, { accountId, pageSize: 60, ...query }, failEndlessList);
    const isSame = isDeepStrictEqual(listUserIds(pages).toSorted(), expected.toSorted());
    must(isSame, 'the pages contain the same users as pages with pageSize=200', pages.at(-1)?.answer);
  });
}

test(...rule('users.list.traversal'), async ({ api, need }) => {
  await expectCompleteTraversal(api, need);
});

test(...rule('users.list.traversal', 'in each order'), async ({ api, need }) => {
  const { fields, descending } = await need('users.sort');
  // Many users have the same name or none, so a name does not identify a page's last user.
  for (const sortBy of Object.values(fields)) await expectCompleteTraversal(api, need, { sortBy, sortOrder: descending });
});

test(...rule('users.list.page-size-may-change'), async ({ api, need }) => {
  const [token, accountId] = [await need('token'), await need('account.many-users')];
  const first = await requestUserPage(api, token, { accountId, pageSize: 50 });
  must(first.cursor, 'in a list of more than 200 users, the first page has a cursor', first.answer);
  const { entities, answer } = await requestUserPage(api, token, { accountId, pageSize: 70, cursor: first.cursor });
  must(entities.length === 70, 'the second page contains 70 users, as requested', answer);
  const isNext = entities.every(({ id }) => !listUserIds([first]).includes(id.toLowerCase()));
  must(isNext, 'the second page contains no user of the first page', answer);
});
