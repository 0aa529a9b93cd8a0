import { randomUUID } from 'node:crypto';
import { must } from '../support/broken.ts';
import { eventually } from '../support/eventually.ts';
import { rule } from '../support/rule.ts';
import { sameId } from '../support/same-id.ts';
import { test } from '../support/test.ts';
import { idsOf, userPage, userPages } from '../support/users.ts';

/** Milliseconds for a change that somebody else makes while an account is traversed. */
const UNREST = 1500;

test('Each listed user carries id, accountId and createdAt.', rule('users.list.shape'), async ({ api, need }) => {
  const { entities, answer } = await userPage(api, await need('token'), { accountId: await need('account.many-users') });
  must(entities.length > 0, 'the list of an account with users holds users', answer);
});

test('The list holds unified users of the account asked for only.', rule('users.list.by-account'), async ({ api, need }) => {
  const token = await need('token');
  const crowd = await userPage(api, token, { accountId: await need('account.many-users') });
  must(crowd.entities.length > 0, 'the list of an account with users holds users', crowd.answer);
  for (const accountId of [await need('account.many-users'), await need('account'), await need('account.second')]) {
    const { entities, answer } = await userPage(api, token, { accountId });
    must(
      entities.every((user) => sameId(user.accountId, accountId)),
      `all users are of the account ${accountId}`,
      answer,
    );
  }
});

test('The list of an account that the caller may view carries a count.', rule('users.list.count-present'), async ({ api, need }) => {
  const { entities, count, answer } = await userPage(api, await need('token'), { accountId: await need('account.many-users') });
  must(entities.length > 0, 'the list of an account with users holds users', answer);
  must(count !== undefined, 'the list carries a count', answer);
});

test('count is the number of matching users across all pages.', rule('users.list.count'), async ({ api, need }) => {
  const [token, accountId] = [await need('token'), await need('account.many-users')];
  test.skip((await userPage(api, token, { accountId })).count === undefined, 'not-testable: the list carries no count');
  await eventually(UNREST, async () => {
    const pages = await userPages(api, token, { accountId });
    const total = idsOf(pages).length;
    must(total > 200, 'the list of more than 200 users holds them');
    for (const { count, answer } of pages) must(count === total, `the count on each page is ${total}, of all pages together`, answer);
  });
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

test('A page of users holds 100 items unless asked otherwise.', rule('users.list.default-page-size'), async ({ api, need }) => {
  const { entities, cursor, answer } = await userPage(api, await need('token'), { accountId: await need('account.many-users') });
  must(entities.length === 100 && cursor, 'the first page of more than 200 users holds 100 and has a cursor', answer);
});

for (const pageSize of [1, 7, 200]) {
  test(`pageSize sets how many users a page holds: ${pageSize}.`, rule('users.list.page-size'), async ({ api, need }) => {
    const { entities, answer } = await userPage(api, await need('token'), { accountId: await need('account.many-users'), pageSize });
    must(entities.length === pageSize, `the first page of more than 200 users holds ${pageSize}`, answer);
  });
}

test('Repeating with the returned cursor until it is null visits every user.', rule('users.list.traversal'), async ({ api, need }) => {
  const [token, accountId] = [await need('token'), await need('account.many-users')];
  await eventually(UNREST, async () => {
    const small = await userPages(api, token, { accountId, pageSize: 60 });
    const ids = new Set(idsOf(small));
    const last = small.at(-1)?.answer;
    must(ids.size > 200, 'the pages together hold more than 200 users', last);
    must(ids.size === idsOf(small).length, 'no user comes twice', last);
    // Pages of another size break the list at other places: what is lost between two pages shows.
    const large = new Set(idsOf(await userPages(api, token, { accountId, pageSize: 200 })));
    must(ids.size === large.size && large.values().every((id) => ids.has(id)), 'pages of 60 and of 200 hold the same users', last);
  });
});
