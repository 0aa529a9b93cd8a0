import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { asking, bodyOf, isSuccess, problem, type Request, withEntities, withHeaders, withMembers } from '../exchange.ts';
import { insteadOf, misreading, remembering, type Saboteur, type SaboteursOf, saboteur } from '../saboteur.ts';
import { around, listed, pageOf } from './connections-world.ts';
import { callerOf, entitiesOf } from './users-world.ts';

const LIST = 'getExperienceConnections';

/** A server that takes another pageSize for the one given. */
function misread(does: string, taken: (given: number, request: Request) => number): Saboteur {
  return misreading(does, LIST, (request) => {
    const given = Number(request.query.pageSize);
    return given >= 1 && given <= 100 ? asking(request, { query: { pageSize: `${taken(given, request)}` } }) : undefined;
  });
}

/** Servers that cut the list into other pages, lose connections between them, or show what the caller has no access to. */
export const connectionsPages = {
  'connections.list.default-page-size': [
    misreading('Holds 50 connections on a page unless asked otherwise.', LIST, (request) =>
      request.query.pageSize === undefined ? asking(request, { query: { pageSize: '50' } }) : undefined,
    ),
    around(LIST, 'Holds all connections on a page unless asked otherwise.', async (request, service) => {
      const reply = await service(request);
      const { pageSize, cursor, ...query } = request.query;
      if (!isSuccess(reply) || pageSize !== undefined || cursor !== undefined) return reply;
      return pageOf(request, await listed(request, service, query));
    }),
  ],
  'connections.list.page-size': [
    misread('Holds 100 connections on a page, whatever pageSize says.', () => 100),
    misread('Holds 50 connections on a page at most.', (given) => Math.min(given, 50)),
    misread('Holds one connection more on a page than pageSize says.', (given) => Math.min(given + 1, 100)),
    misread('Heeds pageSize on the first page only.', (given, { query }) => (query.cursor === undefined ? given : 100)),
    insteadOf('Refuses the pageSize 100.', LIST, ({ query }) => (query.pageSize === '100' ? problem(400) : undefined)),
    insteadOf('Refuses the pageSize 1.', LIST, ({ query }) => (query.pageSize === '1' ? problem(400) : undefined)),
  ],
  'connections.list.cursor': [
    misreading('Takes every cursor for the start.', LIST, (request) => asking(request, { query: { cursor: undefined } })),
    insteadOf('Refuses the cursors that it issued.', LIST, ({ query }) => (query.cursor === undefined ? undefined : problem(400))),
    saboteur('Leaves out the first connection of a page after the first.', LIST, (reply, { query }) =>
      isSuccess(reply) && query.cursor !== undefined ? withEntities(reply, (connections) => connections.slice(1)) : undefined,
    ),
    saboteur('Ends with the second page.', LIST, (reply, { query }) =>
      isSuccess(reply) && query.cursor !== undefined ? withMembers(reply, { cursor: null }) : undefined,
    ),
    remembering('Begins a page with the last connection of the page before.', () => {
      const lastOf = new Map<unknown, unknown>();
      return async (request, service) => {
        const reply = await service(request);
        if (request.operation !== LIST || !isSuccess(reply)) return reply;
        lastOf.set(bodyOf(reply).cursor, entitiesOf(reply).at(-1));
        const last = lastOf.get(request.query.cursor);
        return last === undefined ? reply : withEntities(reply, (connections) => [Object(last), ...connections.slice(0, -1)]);
      };
    }),
    remembering('Goes on where the caller stopped when the first page is asked for again.', () => {
      const issued = new Map<string, string>();
      return async (request, service) => {
        if (request.operation !== LIST) return service(request);
        const cursor = request.query.cursor ?? issued.get(request.url);
        const reply = await service(asking(request, { query: { cursor } }));
        if (isSuccess(reply) && request.query.cursor === undefined) {
          const { cursor: next } = bodyOf(reply);
          if (typeof next === 'string') issued.set(request.url, next);
          else issued.delete(request.url);
        }
        return reply;
      };
    }),
  ],
  'connections.list.only-visible': [
    around(LIST, 'Lists the connections of an account that the caller may not view.', async (request, service, { control }) => {
      const reply = await service(request);
      if (!isSuccess(reply) || entitiesOf(reply).length > 0) return reply;
      const token = await control.token({ client: callerOf(request).client });
      return service(withHeaders(request, { authorization: `Bearer ${token}` }));
    }),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
