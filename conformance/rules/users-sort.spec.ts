import { must } from '../../src/expect/rule-broken.ts';
import { isSameId } from '../../src/expect/same-id.ts';
import { isSorted, type SortField } from '../../src/expect/sorted.ts';
import { requestUserPage, requestUserPages } from '../actors/lists.ts';
import { retryUntilPassed } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { endAsNotTestable } from '../target/check-report.ts';

test(...rule('users.list.sorted', 'by date-times'), async ({ api, need }) => {
  const [token, accountId] = [await need('token'), await need('account.many-users')];
  const { fields, ascending, descending } = await need('users.sort');
  const dateTimes = (['createdAt', 'updatedAt'] as const).filter((field) => fields[field] !== undefined);
  if (dateTimes.length === 0) endAsNotTestable('users.sort contains neither createdAt nor updatedAt');
  for (const field of dateTimes) {
    for (const sortOrder of [ascending, descending]) {
      const query = { accountId, pageSize: 100, sortBy: fields[field], sortOrder };
      const first = await requestUserPage(api, token, query);
      must(first.cursor, 'in a list of more than 200 users, the first page has a cursor', first.answer);
      const second = await requestUserPage(api, token, { ...query, cursor: first.cursor });
      const users = [...first.entities, ...second.entities];
      const isRight = users.length === 200 && isSorted(users, field, sortOrder === descending);
      must(isRight, `users are sorted by ${field}, ${sortOrder}, across pages`, second.answer);
    }
  }
});

// Each sort field gives a different order of these users, and every collation sorts their names equally.
const USER_NAMES = [
  ['Bert', 'Young'],
  ['Alma', 'Zander'],
  ['Cleo', 'Xavier'],
] as const;
const UPDATE_ORDER = [0, 2, 1] as const;

test(...rule('users.list.sorted', 'users with known names', { lock: 'users-of-second-account' }), async ({ api, need, operator }) => {
  const platform = await operator('platform.users', 'account.second', 'users.sort', 'users.read-model-bound');
  const [token, accountId] = [await need('token'), await need('account.second')];
  const { fields, ascending, descending } = await need('users.sort');
  const ids: string[] = [];
  for (const [, lastName] of USER_NAMES) ids.push(await platform.create(accountId, { firstName: 'Nobody', lastName }));
  for (const index of UPDATE_ORDER) await platform.rename(ids[index]!, USER_NAMES[index][0]);
  const bound = await need('users.read-model-bound');
  for (const [field, sortBy] of Object.entries(fields) as [SortField, string][]) {
    for (const sortOrder of [ascending, descending]) {
      const { users, answer } = await retryUntilPassed(bound, async () => {
        const pages = await requestUserPages(api, token, { accountId, sortBy, sortOrder });
        const found = pages.flatMap(({ entities }) => entities).filter(({ id }) => ids.some((created) => isSameId(id, created)));
        const isCurrent = found.length === ids.length && found.every(({ firstName }) => firstName !== 'Nobody');
        must(isCurrent, 'the list shows the updated names of all users', pages[0]?.answer);
        return { users: found, answer: pages[0]?.answer };
      });
      must(isSorted(users, field, sortOrder === descending), `users are sorted by ${field}, ${sortOrder}`, answer);
    }
  }
});
