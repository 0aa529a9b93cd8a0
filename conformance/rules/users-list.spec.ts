import { randomUUID } from 'node:crypto';
import type { Client } from '../actors/api-client.ts';
import { type UserPage, type UsersQuery, userIds, userPage, userPages } from '../actors/lists.ts';
import { sameId } from '../expect/compare.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

test('Each listed user carries id, accountId and createdAt.', rule('users.list.shape'), async ({ api, need }) => {
  const { entities, answer } = await userPage(api, await need('token'), { accountId: await need('account.many-users') });
  must(entities.length > 0, 'the list of an account with users holds users', answer);
});

test('The list holds unified users of the account asked for only.', rule('users.list.by-account'), async ({ api, need }) => {
  const token = await need('token');
  const accounts = [await need('account.many-users'), await need('account'), await need('account.second')];
  const accountOf = new Map<string, string>();
  for (const accountId of accounts) {
    for (const { entities, answer } of await userPages(api, token, { accountId, pageSize: 200 })) {
      must(
        entities.every((user) => sameId(user.accountId, accountId)),
        `all users are of the account ${accountId}`,
        answer,
      );
      // A user has one account: whoever is in two lists is not of one of them, whatever is said there.
      for (const { id } of entities) {
        const other = accountOf.get(id.toLowerCase()) ?? accountId;
        must(
          sameId(other, accountId),
          `the user ${id}, who is listed for the account ${other}, is not of the account ${accountId}`,
          answer,
        );
        accountOf.set(id.toLowerCase(), accountId);
      }
    }
  }
  must(accountOf.size > 200, 'the list of an account with more than 200 users holds them');
});

test('The list of an account that the caller may view carries a count.', rule('users.list.count-present'), async ({ api, need }) => {
  const [token, accountId] = [await need('token'), await need('account.many-users')];
  const first = await userPage(api, token, { accountId });
  must(first.entities.length > 0 && first.cursor, 'the first page of more than 200 users holds users and has a cursor', first.answer);
  const next = await userPage(api, token, { accountId, cursor: first.cursor });
  for (const { count, answer } of [first, next]) must(count !== undefined, 'each page carries a count', answer);
});

test(
  'count is the number of matching users across all pages: none for an account that is not shown.',
  rule('users.list.count'),
  async ({ api, need }) => {
    const token = await need('token');
    must(
      ((await userPage(api, token, { accountId: await need('account.many-users') })).count ?? 1) > 0,
      'the count of an account with users is not 0',
    );
    const { count, answer } = await userPage(api, token, { accountId: await need('account.hidden') });
    must(count === undefined || count === 0, 'the count, when present, is 0', answer);
  },
);

for (const [whose, account, token] of [
  ['that the token may not view', 'account.hidden', 'token'],
  ['of others', 'account.many-users', 'token.outsider'],
] as const) {
  test(
    `A caller that may not view the account gets 200 with no entities: an account ${whose}.`,
    rule('users.list.hidden-account-empty'),
    async ({ api, need }) => {
      const shown = await userPage(api, await need('token'), { accountId: await need('account.many-users') });
      must(shown.entities.length > 0, 'an account that may be viewed shows its users', shown.answer);
      const { entities, cursor, answer } = await userPage(api, await need(token), { accountId: await need(account) });
      must(entities.length === 0 && cursor === undefined, 'there are no entities, and there is no further page', answer);
    },
  );
}

test('Where nothing matches the list is answered with 200 and no entities.', rule('users.list.no-match-empty'), async ({ api, need }) => {
  const token = await need('token');
  const shown = await userPage(api, token, { accountId: await need('account.many-users') });
  must(shown.entities.length > 0, 'the list of an account with users holds users', shown.answer);
  const { entities, answer } = await userPage(api, token, { accountId: randomUUID() });
  must(entities.length === 0, 'the list of no account is empty', answer);
});

test(
  'Where nothing matches the list is answered with 200 and no entities: an account that may be without users.',
  rule('users.list.no-match-empty'),
  async ({ api, need }) => {
    const token = await need('token');
    const shown = await userPage(api, token, { accountId: await need('account.many-users') });
    must(shown.entities.length > 0, 'the list of an account with users holds users', shown.answer);
    const { entities, count, answer } = await userPage(api, token, { accountId: await need('account.second') });
    must(count !== 0 || entities.length === 0, 'a list of nobody is empty', answer);
  },
);

test('A page of users holds 100 items unless asked otherwise.', rule('users.list.default-page-size'), async ({ api, need }) => {
  const [token, accountId] = [await need('token'), await need('account.many-users')];
  const first = await userPage(api, token, { accountId });
  must(first.entities.length === 100 && first.cursor, 'the first page of more than 200 users holds 100 and has a cursor', first.answer);
  const next = await userPage(api, token, { accountId, cursor: first.cursor });
  must(next.entities.length === 100, 'the second page of more than 200 users holds 100', next.answer);
});

for (const pageSize of [1, 7, 200]) {
  test(`pageSize sets how many users a page holds: ${pageSize}.`, rule('users.list.page-size'), async ({ api, need }) => {
    const [token, query] = [await need('token'), { accountId: await need('account.many-users'), pageSize }];
    const first = await userPage(api, token, query);
    must(first.entities.length === pageSize && first.cursor, `the first page of more than 200 users holds ${pageSize}`, first.answer);
    const next = await userPage(api, token, { ...query, cursor: first.cursor });
    // Of 201 users the second page of 200 holds one.
    const full = pageSize <= 100 ? next.entities.length === pageSize : next.entities.length <= pageSize;
    must(full, `the second page of more than 200 users holds ${pageSize}, or who is left`, next.answer);
  });
}

test('Repeating with the returned cursor until it is null visits every user.', rule('users.list.traversal'), async ({ api, need }) => {
  // Pages of another size break the list at other places: what is lost between two pages shows.
  await visitAll(api, await need('token'), await need('account.many-users'), [{ pageSize: 60 }]);
});

test(
  'Repeating with the returned cursor until it is null visits every user: in each order.',
  rule('users.list.traversal'),
  async ({ api, need }) => {
    const { fields, descending } = await need('users.sort');
    // Many users have the same name, or none: what the last of a page is called does not say where to go on.
    const orders = Object.values(fields).map((sortBy) => ({ pageSize: 60, sortBy, sortOrder: descending }));
    await visitAll(api, await need('token'), await need('account.many-users'), orders);
  },
);

/** Pages of each kind show whom pages of 200 show before and after: all but those who come, go or change meanwhile. */
async function visitAll(api: Client, token: string, accountId: string, kinds: readonly UsersQuery[]): Promise<void> {
  const listed = async () => {
    const pages = await userPages(api, token, { accountId, pageSize: 200 });
    return new Map(pages.flatMap(({ entities }) => entities).map(({ id, updatedAt }) => [id.toLowerCase(), updatedAt]));
  };
  const before = await listed();
  must(before.size > 200, 'pages of 200 together hold more than 200 users');
  const traversals: UserPage[][] = [];
  for (const kind of kinds) traversals.push(await userPages(api, token, { accountId, ...kind }));
  const after = await listed();
  const staying = [...before].filter(([id, updatedAt]) => after.has(id) && after.get(id) === updatedAt).map(([id]) => id);
  for (const pages of traversals) {
    const [ids, last] = [userIds(pages), pages.at(-1)?.answer];
    const missed = staying.find((id) => !ids.includes(id));
    must(missed === undefined, `all pages together hold the user ${missed}, who is on pages of 200`, last);
    const twice = staying.find((id) => ids.indexOf(id) !== ids.lastIndexOf(id));
    must(twice === undefined, `the user ${twice} comes once`, last);
    const more = ids.find((id) => !before.has(id) && !after.has(id));
    must(more === undefined, `pages of 200 together hold the user ${more}, who is on other pages`, last);
  }
}
