import { randomUUID } from 'node:crypto';
import type { Call } from '../actors/api-client.ts';
import { type Entity, type ListOperation, listAll, listPage, listPages } from '../actors/lists.ts';
import type { Parts } from '../actors/sample-calls.ts';
import { sameId } from '../expect/compare.ts';
import { isConnection } from '../expect/connection.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

type Query = NonNullable<Call['query']>;

/** A list of several items: how it is asked for, what is known to be in it, and listPage sizes that it does not fit. */
interface List {
  readonly query: Query;
  readonly known: readonly ((entity: Entity) => boolean)[];
  readonly pageSizes: readonly number[];
  /** The same list, asked for what it does not have. */
  readonly nothing: () => Promise<Query>;
}

const LISTS: readonly { operation: ListOperation; arrange: (participants: Parts) => Promise<List> }[] = [
  {
    operation: 'getExperienceAssignments',
    async arrange({ need, assignments }) {
      const made = [await assignments.make(), await assignments.make(), await assignments.make()];
      const known = made.map(
        ({ id }) =>
          (entity: Entity) =>
            sameId(entity.id, id),
      );
      return {
        query: { accountId: await need('account'), experienceId: await need('experience') },
        known,
        pageSizes: [1, 2],
        nothing: async () => ({ targetType: 'PHONE_NUMBER', targetValue: (await assignments.newBody()).targetValue }),
      };
    },
  },
  {
    operation: 'getExperienceConnections',
    async arrange({ need, connections }) {
      const made = [await connections.make(), await connections.make(), await connections.make()];
      return {
        query: { accountId: await need('account.second') },
        known: made.map((key) => (entity: Entity) => isConnection(entity, key)),
        pageSizes: [1, 2],
        nothing: () => connections.pair(),
      };
    },
  },
  {
    operation: 'getUsers',
    async arrange({ need }) {
      // Which they are is not known: there are more than 200, and a count to compare with.
      const query = { accountId: await need('account.many-users') };
      return { query, known: [], pageSizes: [60], nothing: async () => ({ accountId: randomUUID() }) };
    },
  },
];

for (const { operation, arrange } of LISTS) {
  test(
    `A listPage carries its items as an array in entities: ${operation}.`,
    rule('http.pages.entities-array'),
    async ({ api, need, assignments, connections }) => {
      const { query, known, nothing } = await arrange({ need, assignments, connections });
      const token = await need('token');
      const all = await listAll(api, operation, { token, query });
      must(all.length > 0 && known.every((isIt) => all.some(isIt)), 'what was made is among the entities');
      // A listPage says so in the same way when it has one item, or none.
      for (const other of [{ ...query, pageSize: 1 }, await nothing()]) await listPage(api, operation, { token, query: other });
    },
  );

  test(
    `A listPage carries an integer pageSize: ${operation}.`,
    rule('http.pages.page-size-integer'),
    async ({ api, need, assignments, connections }) => {
      const { query, pageSizes } = await arrange({ need, assignments, connections });
      const token = await need('token');
      const first = await listPage(api, operation, { token, query });
      must(first.entities.length > 0, 'the listPage holds what was made', first.answer);
      for (const { answer } of [first, ...(await listPages(api, operation, { token, query: { ...query, pageSize: pageSizes[0] } }))])
        must(Number.isInteger((answer.json as { pageSize?: unknown }).pageSize), 'pageSize is an integer', answer);
    },
  );

  test(
    `A listPage never holds more items than asked for: ${operation}.`,
    rule('http.pages.at-most-page-size'),
    async ({ api, need, assignments, connections }) => {
      const { query, pageSizes } = await arrange({ need, assignments, connections });
      const token = await need('token');
      for (const pageSize of pageSizes) {
        const pages = await listPages(api, operation, { token, query: { ...query, pageSize } });
        must(pages[0]!.entities.length > 0, 'the first listPage holds some', pages[0]!.answer);
        for (const { answer, entities } of pages) must(entities.length <= pageSize, `a listPage holds at most ${pageSize}`, answer);
      }
      const { answer, entities } = await listPage(api, operation, { token, query: { ...query, pageSize: 1 } });
      must(entities.length <= 1, 'a listPage holds at most 1', answer);
    },
  );

  test(
    `When there are no more pages the cursor is null or left out: ${operation}.`,
    rule('http.pages.cursor-null-at-end'),
    async ({ api, need, assignments, connections }) => {
      const { query, pageSizes } = await arrange({ need, assignments, connections });
      const token = await need('token');
      for (const pageSize of [undefined, ...pageSizes]) {
        // Following it comes to an end; a last listPage that is empty is a listPage, too.
        const [first] = await listPages(api, operation, { token, query: { ...query, pageSize } });
        must(first!.entities.length > 0, 'the list holds what was made', first!.answer);
      }
    },
  );

  test(
    `Following the cursor isConnection every item once: ${operation}.`,
    rule('http.pages.traversal-complete'),
    async ({ api, need, assignments, connections }) => {
      const { query, known, pageSizes } = await arrange({ need, assignments, connections });
      const token = await need('token');
      for (const pageSize of pageSizes) {
        const pages = await listPages(api, operation, { token, query: { ...query, pageSize } });
        const last = pages.at(-1)!.answer;
        const all = pages.flatMap(({ entities }) => entities);
        must(pages.length > 1, `there are several pages of ${pageSize}`, last);
        for (const isIt of known) must(all.filter(isIt).length === 1, 'each that was made is shown once', last);
        const ids = new Set(all.map(({ id }, index) => id?.toLowerCase() ?? index));
        must(ids.size === all.length, 'nothing is shown twice', last);
        const { count } = last.json as { count?: number };
        must(count === undefined || all.length === count, `all ${count} are shown, not ${all.length}`, last);
      }
    },
  );
}
