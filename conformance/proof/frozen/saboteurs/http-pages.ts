import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { asking, bodyOf, isSuccess, type Json, type Reply, type Request, withEntities, withMembers } from '../exchange.ts';
import { misreading, remembering, type Saboteur, type SaboteursOf, saboteur } from '../saboteur.ts';

const LISTS = ['getExperienceAssignments', 'getExperienceConnections', 'getUsers'] as const;
const MOST = { getExperienceAssignments: 100, getExperienceConnections: 100, getUsers: 200 } as const;

const isList = ({ operation }: Request): boolean => LISTS.some((list) => list === operation);

/** A server whose pages are changed so. */
const pages = (does: string, change: (page: Json, reply: Reply, request: Request) => Reply | undefined): Saboteur =>
  saboteur(does, LISTS, (reply, request) => (isSuccess(reply) ? change(bodyOf(reply), reply, request) : undefined));

const isLast = ({ cursor }: Json): boolean => cursor === null || cursor === undefined;

/** Servers that break one rule of pages each. */
export const httpPages: SaboteursOf<Extract<TestableRuleId['openapi'], `http.pages.${string}`>> = {
  'http.pages.entities-array': [
    pages('Has the entity itself for entities where a page of one was asked for.', ({ entities }, reply, { query }) =>
      query.pageSize === '1' && entities.length === 1 ? withMembers(reply, { entities: entities[0] }) : undefined,
    ),
    pages('Calls the entities of a page items.', ({ entities }, reply) => withMembers(reply, { entities: undefined, items: entities })),
    pages('Has null for the entities of a page that has none.', ({ entities }, reply) =>
      entities.length === 0 ? withMembers(reply, { entities: null }) : undefined,
    ),
    pages('Leaves the entities out of a page that has none.', ({ entities }, reply) =>
      entities.length === 0 ? withMembers(reply, { entities: undefined }) : undefined,
    ),
    pages('Has the entities of a page in an object, by id.', ({ entities }, reply) =>
      withMembers(reply, { entities: Object.fromEntries((entities as Json[]).map((entity) => [entity.id, entity])) }),
    ),
  ],
  'http.pages.cursor-null-at-end': [
    pages('Ends with an empty text for a cursor, where there was one.', (page, reply, { query }) =>
      query.cursor !== undefined && isLast(page) ? withMembers(reply, { cursor: '' }) : undefined,
    ),
    pages('Ends with false for a cursor.', (page, reply) => (isLast(page) ? withMembers(reply, { cursor: false }) : undefined)),
    remembering('Gives the last page again and again, by its own cursor.', () => async (request, service) => {
      const reply = await service(request);
      const cursor = request.query.cursor;
      return isList(request) && isSuccess(reply) && cursor !== undefined && isLast(bodyOf(reply)) ? withMembers(reply, { cursor }) : reply;
    }),
    remembering('Begins again after the last page.', () => {
      let second: string | undefined;
      return async (request, service) => {
        const reply = await service(request);
        if (!isList(request) || !isSuccess(reply)) return reply;
        if (request.query.cursor === undefined) second = bodyOf(reply).cursor ?? undefined;
        else if (second !== undefined && isLast(bodyOf(reply))) return withMembers(reply, { cursor: second });
        return reply;
      };
    }),
  ],
  'http.pages.page-size-integer': [
    pages('Has no pageSize in the last of several pages of assignments.', (page, reply, { operation, query }) =>
      operation === 'getExperienceAssignments' && query.cursor !== undefined && isLast(page)
        ? withMembers(reply, { pageSize: undefined })
        : undefined,
    ),
    pages('Has no pageSize in a page.', (_, reply) => withMembers(reply, { pageSize: undefined })),
    pages('Has a text for the pageSize.', ({ pageSize }, reply) => withMembers(reply, { pageSize: `${pageSize}` })),
    pages('Has null for the pageSize where none was asked for.', (_, reply, { query }) =>
      query.pageSize === undefined ? withMembers(reply, { pageSize: null }) : undefined,
    ),
    pages('Echoes the pageSize that was asked for as the text that it was.', (_, reply, { query }) =>
      query.pageSize === undefined ? undefined : withMembers(reply, { pageSize: query.pageSize }),
    ),
    pages('Has the average for a pageSize.', ({ pageSize }, reply) => withMembers(reply, { pageSize: pageSize / 2 + 0.25 })),
  ],
  'http.pages.at-most-page-size': [
    misreading('Takes no notice of the pageSize.', LISTS, (request) =>
      // A size that is refused stays refused, and a cursor stays valid: neither is what this is about.
      isSize(request) ? asking(request, { query: { pageSize: undefined } }) : undefined,
    ),
    misreading('Gives one entity more than was asked for, to see whether there are more.', LISTS, (request) =>
      isSize(request)
        ? asking(request, { query: { pageSize: `${Math.min(Number(request.query.pageSize) + 1, most(request))}` } })
        : undefined,
    ),
    misreading('Forgets the pageSize after the first page.', LISTS, (request) =>
      isSize(request) && request.query.cursor !== undefined ? asking(request, { query: { pageSize: undefined } }) : undefined,
    ),
    misreading('Has pages of at least ten entities.', LISTS, (request) =>
      isSize(request) && Number(request.query.pageSize) < 10 ? asking(request, { query: { pageSize: '10' } }) : undefined,
    ),
  ],
  'http.pages.traversal-complete': [
    pages('Has nothing after the second page.', (page, reply, { query }) =>
      query.cursor !== undefined && !isLast(page) ? withMembers(reply, { cursor: null }) : undefined,
    ),
    pages('Leaves out the first entity of every page after the first.', ({ entities }, reply, { query }) =>
      query.cursor !== undefined && entities.length > 0 ? withEntities(reply, ([, ...rest]) => rest) : undefined,
    ),
    remembering('Begins each page with the last entity of the one before.', () => {
      const lasts = new Map<string, Json>();
      return async (request, service) => {
        const reply = await service(request);
        if (!isList(request) || !isSuccess(reply)) return reply;
        const { entities, cursor } = bodyOf(reply) as { entities: Json[]; cursor?: string | null };
        const last = entities.at(-1);
        if (cursor && last) lasts.set(cursor, last);
        const before = lasts.get(request.query.cursor ?? '');
        return before === undefined ? reply : withEntities(reply, (found) => [before, ...found.slice(1)]);
      };
    }),
    pages('Has nothing after the first page.', (page, reply, { query }) =>
      query.cursor === undefined && !isLast(page) ? withMembers(reply, { cursor: null }) : undefined,
    ),
    pages('Leaves out the last page.', (page, reply, { query }) =>
      query.cursor !== undefined && isLast(page) ? withEntities(reply, () => []) : undefined,
    ),
    pages('Shows the last entity of the list twice.', ({ entities, ...page }, reply) =>
      isLast(page) && entities.length > 0 ? withEntities(reply, (found) => [...found, ...found.slice(-1)]) : undefined,
    ),
  ],
};

function most({ operation }: Request): number {
  return MOST[operation as keyof typeof MOST];
}

/** Whether it asks for a page of a size that there is. */
function isSize(request: Request): boolean {
  const size = Number(request.query.pageSize);
  return isList(request) && Number.isInteger(size) && size >= 1 && size <= most(request);
}
