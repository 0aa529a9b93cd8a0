import { randomUUID } from 'node:crypto';
import type { CallOptions } from '../actors/api-client.ts';
import {
  type Entity,
  failEndlessList,
  type ListOperation,
  repeatIfBroken,
  requestAllEntities,
  requestAllPages,
  requestPage,
} from '../actors/lists.ts';
import type { SampleSources } from '../actors/sample-calls.ts';
import { isSameId } from '../expect/compare.ts';
import { isConnection } from '../expect/connection.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

type Query = NonNullable<CallOptions['query']>;

interface List {
  readonly query: Query;
  /** Functions that recognize the entities that the list must contain. */
  readonly known: readonly ((entity: Entity) => boolean)[];
  readonly pageSizes: readonly [number, ...number[]];
  readonly emptyQuery: () => Promise<Query>;
}

const LISTS: readonly (readonly [operation: ListOperation, arrange: (parts: SampleSources) => Promise<List>])[] = [
  [
    'getExperienceAssignments',
    async ({ need, assignments }) => {
      const created = [await assignments.createOrThrow(), await assignments.createOrThrow(), await assignments.createOrThrow()];
      return {
        query: { accountId: await need('account'), experienceId: await need('experience') },
        known: created.map((assignment) => (entity: Entity) => isSameId(entity.id, assignment.id)),
        pageSizes: [1, 2],
        emptyQuery: async () => ({ targetType: 'PHONE_NUMBER', targetValue: (await assignments.createBody()).targetValue }),
      };
    },
  ],
  [
    'getExperienceConnections',
    async ({ need, connections }) => {
      const created = [await connections.createOrThrow(), await connections.createOrThrow(), await connections.createOrThrow()];
      return {
        query: { accountId: await need('account.second') },
        known: created.map((key) => (entity: Entity) => isConnection(entity, key)),
        pageSizes: [1, 2],
        emptyQuery: () => connections.pickPair(),
      };
    },
  ],
  [
    'getUsers',
    async ({ need }) => ({
      query: { accountId: await need('account.many-users') },
      // The suite does not know the ids of these users, so only `count` shows whether the list is complete.
      known: [],
      pageSizes: [60],
      emptyQuery: async () => ({ accountId: randomUUID() }),
    }),
  ],
];

for (const [operation, arrange] of LISTS) {
  test(...rule('http.pages.entities-array', operation), async ({ api, need, assignments, connections }) => {
    const { query, known, emptyQuery } = await arrange({ need, assignments, connections });
    const token = await need('token');
    const all = await requestAllEntities(api, operation, { token, query });
    must(all.length > 0 && known.every((isEntity) => all.some(isEntity)), 'the list contains the entities that were created');
    for (const other of [{ ...query, pageSize: 1 }, await emptyQuery()]) await requestPage(api, operation, { token, query: other });
  });

  test(...rule('http.pages.page-size-integer', operation), async ({ api, need, assignments, connections }) => {
    const { query, pageSizes } = await arrange({ need, assignments, connections });
    const token = await need('token');
    const first = await requestPage(api, operation, { token, query });
    must(first.entities.length > 0, 'the first page is not empty', first.answer);
    for (const { answer } of [first, ...(await requestAllPages(api, operation, { token, query: { ...query, pageSize: pageSizes[0] } }))])
      must(Number.isInteger((answer.json as { pageSize?: unknown }).pageSize), 'pageSize is an integer', answer);
  });

  test(...rule('http.pages.at-most-page-size', operation), async ({ api, need, assignments, connections }) => {
    const { query, pageSizes } = await arrange({ need, assignments, connections });
    const token = await need('token');
    for (const pageSize of pageSizes) {
      const pages = await requestAllPages(api, operation, { token, query: { ...query, pageSize } });
      must(pages[0]!.entities.length > 0, 'the first page is not empty', pages[0]!.answer);
      for (const { answer, entities } of pages) must(entities.length <= pageSize, `a page contains at most ${pageSize} entities`, answer);
    }
    const { answer, entities } = await requestPage(api, operation, { token, query: { ...query, pageSize: 1 } });
    must(entities.length <= 1, 'a page contains at most 1 entity', answer);
  });

  test(...rule('http.pages.cursor-null-at-end', operation), async ({ api, need, assignments, connections }) => {
    const { query, pageSizes } = await arrange({ need, assignments, connections });
    for (const pageSize of [undefined, ...pageSizes]) {
      const [first] = await requestAllPages(api, operation, { token: await need('token'), query: { ...query, pageSize } }, failEndlessList);
      must(first!.entities.length > 0, 'the first page is not empty', first!.answer);
    }
  });

  test(...rule('http.pages.traversal-complete', operation), async ({ api, need, assignments, connections }) => {
    const { query, known, pageSizes } = await arrange({ need, assignments, connections });
    const token = await need('token');
    for (const pageSize of pageSizes) {
      await repeatIfBroken([api, operation, { token, query }], async () => {
        const pages = await requestAllPages(api, operation, { token, query: { ...query, pageSize } }, failEndlessList);
        const { answer: last, count } = pages.at(-1)!;
        const all = pages.flatMap(({ entities }) => entities);
        must(pages.length > 1, `the list has several pages of ${pageSize}`, last);
        for (const isEntity of known) must(all.filter(isEntity).length === 1, 'the pages contain each created entity once', last);
        const ids = new Set(all.map(({ id }, index) => id?.toLowerCase() ?? index));
        must(ids.size === all.length, 'the pages contain no entity twice', last);
        must(count === undefined || all.length === count, `the pages contain all ${count} entities, not ${all.length}`, last);
      });
    }
  });
}
