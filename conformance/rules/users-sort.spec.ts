import { type ShownUser, userPage, userPages } from '../actors/lists.ts';
import { compareInstants } from '../expect/compare.ts';
import { eventually, must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

type Field = 'createdAt' | 'updatedAt' | 'firstName' | 'lastName';

/** Whether the users stand in the order of that field; where those without it stand is not shown. */
function inOrder(users: readonly ShownUser[], field: Field, descending: boolean): boolean {
  const values = users.map((user) => user[field]).filter((value) => typeof value === 'string');
  const ascending = descending ? values.toReversed() : values;
  const compare = field.endsWith('At') ? compareInstants : (a: string, b: string) => (a < b ? -1 : Number(a > b));
  return ascending.every((value, index) => index === 0 || compare(ascending[index - 1]!, value) <= 0);
}

test('sortBy and sortOrder put the users in the order that they name: instants.', rule('users.list.sorted'), async ({ api, need }) => {
  const [token, accountId, { fields, ascending, descending }] = [
    await need('token'),
    await need('account.many-users'),
    await need('users.sort'),
  ];
  const dated = (['createdAt', 'updatedAt'] as const).filter((field) => fields[field] !== undefined);
  test.skip(dated.length === 0, 'not-testable: users.sort has no instant');
  for (const field of dated) {
    for (const sortOrder of [ascending, descending]) {
      const query = { accountId, pageSize: 100, sortBy: fields[field], sortOrder };
      const first = await userPage(api, token, query);
      must(first.cursor, 'the first page of more than 200 users has a cursor', first.answer);
      const next = await userPage(api, token, { ...query, cursor: first.cursor });
      const users = [...first.entities, ...next.entities];
      must(
        users.length === 200 && inOrder(users, field, sortOrder === descending),
        `users are listed by ${field}, ${sortOrder}, from page to page`,
        next.answer,
      );
    }
  }
});

// Names whose order is the same by any collation, given in another order than users are made and changed in.
const PEOPLE = [
  ['Bert', 'Young'],
  ['Alma', 'Zander'],
  ['Cleo', 'Xavier'],
] as const;
const CHANGED = [2, 0, 1] as const;

test('sortBy and sortOrder put the users in the order that they name: users of known names.', {
  ...rule('users.list.sorted'),
  lock: 'users-of-second-account',
}, async ({ api, need, platform }) => {
  const [token, accountId, { fields, ascending, descending }] = [
    await need('token'),
    await need('account.second'),
    await need('users.sort'),
  ];
  const ids: string[] = [];
  for (const [, lastName] of PEOPLE) ids.push(await platform.create(accountId, { firstName: 'Nobody', lastName }));
  for (const index of CHANGED) await platform.rename(ids[index]!, PEOPLE[index][0]);
  const settled = await need('users.read-model-bound');
  const own = (users: readonly ShownUser[]) => users.filter(({ id }) => ids.includes(id.toLowerCase()));
  for (const [field, sortBy] of Object.entries(fields) as [Field, string][]) {
    for (const sortOrder of [ascending, descending]) {
      const { users, answer } = await eventually(settled, async () => {
        const pages = await userPages(api, token, { accountId, sortBy, sortOrder });
        const found = own(pages.flatMap(({ entities }) => entities));
        must(
          found.length === ids.length && found.every(({ firstName }) => firstName !== 'Nobody'),
          'the list shows the changes',
          pages[0]?.answer,
        );
        return { users: found, answer: pages[0]?.answer };
      });
      // A list that shows the changes is in the order of what it shows.
      must(inOrder(users, field, sortOrder === descending), `users are listed by ${field}, ${sortOrder}`, answer);
    }
  }
});
