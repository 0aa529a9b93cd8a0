import { must } from '../support/broken.ts';
import { eventually } from '../support/eventually.ts';
import { rule } from '../support/rule.ts';
import { idsOf, readUser, userPages } from '../support/users.ts';
import { test } from '../support/users-test.ts';
import { refusal } from '../support/verify.ts';

// Two checks at once would each see the other's users come and go.
test.describe.configure({ lock: 'users-of-second-account' });

test('Reading a user is always current.', rule('users.get.current'), async ({ api, need, platform }) => {
  const token = await need('token');
  const userId = await platform.create(await need('account.second'), { firstName: 'Ann' });
  must((await readUser(api, token, userId)).firstName === 'Ann', 'a new user is read as it was made');
  await platform.rename(userId, 'Beth');
  must((await readUser(api, token, userId)).firstName === 'Beth', 'a changed user is read as it was changed');
  await platform.remove(userId);
  refusal(await api.call('getUser', { token, path: { userId } }), 404);
});

test(
  'The list follows a change shortly after it; re-reading it settles on an exact count.',
  rule('users.list.eventually-current'),
  async ({ api, need, platform }) => {
    const [token, accountId, settled] = [await need('token'), await need('account.second'), await need('users.read-model-bound')];
    const listing = (shown: (firstName: string | undefined) => boolean, wanted: string) =>
      eventually(settled, async () => {
        const pages = await userPages(api, token, { accountId });
        const total = idsOf(pages).length;
        const listed = pages.flatMap(({ entities }) => entities).find(({ id }) => id.toLowerCase() === userId.toLowerCase());
        must(shown(listed && (listed.firstName ?? '')), `within ${settled} ms ${wanted}`, pages[0]?.answer);
        must(
          pages.every(({ count }) => count === undefined || count === total),
          `within ${settled} ms the count settles on ${total}`,
          pages[0]?.answer,
        );
      });
    const userId = await platform.create(accountId, { firstName: 'Ann' });
    await listing((firstName) => firstName === 'Ann', 'the list holds a new user');
    await platform.rename(userId, 'Beth');
    await listing((firstName) => firstName === 'Beth', 'the list shows a changed user');
    await platform.remove(userId);
    await listing((firstName) => firstName === undefined, 'the list no longer holds a removed user');
  },
);

test(
  'The updatedAt of a user that was never updated is null, when it is present.',
  rule('users.updated-at-null'),
  async ({ api, need, platform }) => {
    const [token, accountId, settled] = [await need('token'), await need('account.second'), await need('users.read-model-bound')];
    const userId = await platform.create(accountId, { firstName: 'Ann' });
    must((await readUser(api, token, userId)).updatedAt == null, 'updatedAt of the user read is null or absent');
    await eventually(settled, async () => {
      const pages = await userPages(api, token, { accountId });
      const listed = pages.flatMap(({ entities }) => entities).find(({ id }) => id.toLowerCase() === userId.toLowerCase());
      must(listed, 'the list holds the user', pages[0]?.answer);
      must(listed.updatedAt == null, 'updatedAt of the user listed is null or absent', pages[0]?.answer);
    });
  },
);
