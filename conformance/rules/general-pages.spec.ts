import type { RuleId } from '../../src/contract/generated/rules.ts';
import { must } from '../../src/expect/rule-broken.ts';
import type { Query } from '../actors/api-client.ts';
import { LISTS_OF_NEW_ENTITIES } from '../actors/arrange.ts';
import { failEndlessList, type Page, repeatIfBroken, requestAllPages, requestPage } from '../actors/lists.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

const LISTS: typeof LISTS_OF_NEW_ENTITIES = [
  ...LISTS_OF_NEW_ENTITIES,
  // The suite does not know the ids of these users, so only `count` shows whether the list is complete.
  ['getUsers', async ({ need }) => ({ query: { accountId: await need('account.many-users') }, created: [] })],
];

/** In addition to the schema, which all pages must match. */
const PAGE_CHECKS: readonly (readonly [RuleId, (page: Page, pageSize: number | undefined) => void])[] = [
  ['http.pages.entities-array', () => {}],
  ['http.pages.cursor-null-at-end', () => {}],
  [
    'http.pages.page-size-integer',
    ({ answer }) => must(Number.isInteger((answer.json as { pageSize?: unknown }).pageSize), 'pageSize is an integer', answer),
  ],
  [
    'http.pages.at-most-page-size',
    ({ answer, entities }, pageSize = Number.POSITIVE_INFINITY) =>
      must(entities.length <= pageSize, `a page contains at most ${pageSize} entities`, answer),
  ],
];

for (const [operation, arrange] of LISTS) {
  const pageSizes = operation === 'getUsers' ? [60] : [1, 2];
  for (const [id, verify] of PAGE_CHECKS)
    test(...rule(id, operation), async ({ api, need, assignments, connections }) => {
      const { query, created } = await arrange({ need, assignments, connections });
      const [token, endless] = [await need('token'), id === 'http.pages.cursor-null-at-end' ? failEndlessList : undefined];
      for (const pageSize of [undefined, ...pageSizes]) {
        const pages = await requestAllPages(api, operation, { token, query: { ...query, pageSize } }, endless);
        const all = pages.flatMap(({ entities }) => entities);
        must(all.length > 0 && created.every((isEntity) => all.some(isEntity)), 'the list contains the entities that were created');
        for (const page of pages) verify(page, pageSize);
      }
    });

  test(...rule('http.pages.traversal-complete', operation), async ({ api, need, assignments, connections }) => {
    const { query, created } = await arrange({ need, assignments, connections });
    const token = await need('token');
    for (const pageSize of pageSizes) {
      await repeatIfBroken([api, operation, { token, query }], async () => {
        const pages = await requestAllPages(api, operation, { token, query: { ...query, pageSize } }, failEndlessList);
        const { answer: last, count } = pages.at(-1)!;
        const all = pages.flatMap(({ entities }) => entities);
        must(pages.length > 1, `the list has several pages of ${pageSize}`, last);
        for (const isEntity of created) must(all.filter(isEntity).length === 1, 'the pages contain each created entity once', last);
        const ids = new Set(all.map(({ id }, index) => id?.toLowerCase() ?? index));
        must(ids.size === all.length, 'the pages contain no entity twice', last);
        must(count === undefined || all.length === count, `the pages contain all ${count} entities, not ${all.length}`, last);
      });
    }
  });
}

// How long the cursors of the other lists can be used is not specified.
test(...rule('http.pages.traversal-complete', 'getUsers, a cursor is used again'), async ({ api, need }) => {
  const [token, query] = [await need('token'), { accountId: await need('account.many-users'), pageSize: 60 }];
  await repeatIfBroken([api, 'getUsers', { token, query }], async () => {
    const request = (changes: Query = {}) => requestPage(api, 'getUsers', { token, query: { ...query, ...changes } });
    const { cursor } = await request();
    must((await request({ cursor })).entities.length > 0, 'the cursor leads to a page with users');
    // Another client begins the same list.
    await request();
    for (const page of [await request({ cursor }), await request({ cursor, pageSize: 30 })])
      must(page.entities.length > 0, 'the cursor leads to users again', page.answer);
  });
});
