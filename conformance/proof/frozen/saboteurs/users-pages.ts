import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { asking, bodyOf, isSuccess, problem, type Request, withEntities, withMembers } from '../exchange.ts';
import { insteadOf, misreading, type Saboteur, type SaboteursOf, saboteur } from '../saboteur.ts';
import { onPages } from './users-traversal.ts';
import { listed } from './users-world.ts';

/** A server with another pageSize by default. */
function byDefault(does: string, pageSize: number, where: (request: Request) => boolean = () => true): Saboteur {
  return misreading(does, 'getUsers', (request) =>
    request.query.pageSize === undefined && where(request) ? asking(request, { query: { pageSize: `${pageSize}` } }) : undefined,
  );
}

/** A server that takes another pageSize for the one given. */
function misread(does: string, taken: (given: number, request: Request) => number): Saboteur {
  return misreading(does, 'getUsers', (request) => {
    const given = Number(request.query.pageSize);
    return given >= 1 && given <= 200 ? asking(request, { query: { pageSize: `${taken(given, request)}` } }) : undefined;
  });
}

/** Servers that cut the list into other pages, or lose users between them. */
export const usersPages = {
  'users.list.default-page-size': [
    byDefault('Holds 50 users on a page unless asked otherwise.', 50),
    byDefault('Holds 200 users on a page unless asked otherwise.', 200),
    byDefault('Holds 50 users on a page after the first unless asked otherwise.', 50, ({ query }) => query.cursor !== undefined),
  ],
  'users.list.page-size': [
    misread('Holds 100 users on a page, whatever pageSize says.', () => 100),
    misread('Holds 100 users on a page at most.', (given) => Math.min(given, 100)),
    misread('Holds one user more on a page than pageSize says.', (given) => Math.min(given + 1, 200)),
    misread('Heeds pageSize on the first page only.', (given, { query }) => (query.cursor === undefined ? given : 100)),
    insteadOf('Refuses the pageSize 200.', 'getUsers', ({ query }) => (query.pageSize === '200' ? problem(400) : undefined)),
    insteadOf('Refuses the pageSize 1.', 'getUsers', ({ query }) => (query.pageSize === '1' ? problem(400) : undefined)),
  ],
  'users.list.page-size-may-change': [
    onPages('Refuses a cursor with another pageSize than it was issued for.', (_reply, { request, from }) =>
      from && from.query.pageSize !== request.query.pageSize ? problem(400) : undefined,
    ),
    onPages('Keeps the pageSize that the cursor was issued for.', (_reply, { request, from, service }) =>
      from && from.query.pageSize !== request.query.pageSize
        ? service(asking(request, { query: { pageSize: from.query.pageSize } }))
        : undefined,
    ),
    onPages(
      'Counts the pages in a cursor, and so goes on elsewhere with another pageSize.',
      async (reply, { request, from, before, service }) => {
        const [was, is] = [Number(from?.query.pageSize), Number(request.query.pageSize)];
        if (!isSuccess(reply) || from === undefined || was === is) return undefined;
        const start = Math.round(before.length / was) * is;
        const users = await listed(request, service, request.query);
        return withEntities(reply, () => users.slice(start, start + is));
      },
    ),
  ],
  'users.list.traversal': [
    saboteur('Leaves out the first user of a page after the first.', 'getUsers', (reply, { query }) =>
      isSuccess(reply) && query.cursor !== undefined ? withEntities(reply, (users) => users.slice(1)) : undefined,
    ),
    saboteur('Ends with the second page.', 'getUsers', (reply, { query }) =>
      isSuccess(reply) && query.cursor !== undefined ? withMembers(reply, { cursor: null }) : undefined,
    ),
    onPages('Ends with the last page that is full.', (reply, { request, before }) => {
      const { entities, count } = bodyOf(reply);
      const toCome = isSuccess(reply) ? count - before.length - entities.length : 0;
      return toCome > 0 && toCome < Number(request.query.pageSize ?? 100) ? withMembers(reply, { cursor: null }) : undefined;
    }),
    onPages('Goes on after the value of the last user, and so leaves out those that have the same.', (reply, { request, before }) => {
      const { sortBy = 'createdAt', cursor } = request.query;
      if (!isSuccess(reply) || cursor === undefined) return undefined;
      return withEntities(reply, (users) => users.filter((user) => user[sortBy] !== before.at(-1)?.[sortBy]));
    }),
    onPages('Ends after a page whose last user has no value of those that the list is sorted by.', (reply, { request, before }) => {
      const last = before.at(-1);
      return isSuccess(reply) && last !== undefined && last[request.query.sortBy ?? 'createdAt'] == null
        ? withMembers(reply, { entities: [], cursor: null })
        : undefined;
    }),
    saboteur('Says after the last page that it is the next.', 'getUsers', (reply, { query: { cursor } }) =>
      cursor !== undefined && bodyOf(reply).cursor === null ? withMembers(reply, { cursor }) : undefined,
    ),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
