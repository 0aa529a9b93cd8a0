import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { asking, bodyOf, isSuccess, type Json, problem, type Request, success, withEntities, withMembers } from '../exchange.ts';
import { insteadOf, misreading, remembering, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { inOtherAccounts, selected, whereDone } from './assignments-world.ts';
import { entitiesOf } from './users-world.ts';

const LIST = 'getExperienceAssignments';

/** A server with another pageSize by default. */
const byDefault = (does: string, pageSize: number, where: (request: Request) => boolean = () => true): Saboteur =>
  misreading(does, LIST, (request) =>
    request.query.pageSize === undefined && where(request) ? asking(request, { query: { pageSize: `${pageSize}` } }) : undefined,
  );

/** A server that takes another pageSize for the one given. */
const misread = (does: string, taken: (given: number, request: Request) => number): Saboteur =>
  misreading(does, LIST, (request) => {
    const given = Number(request.query.pageSize);
    return given >= 1 && given <= 100 ? asking(request, { query: { pageSize: `${taken(given, request)}` } }) : undefined;
  });

/** A server whose first page may be longer than 100. @param most how long it may be; undefined where that is not the point */
const withPagesOf = (does: string, most: (request: Request) => number | undefined): Saboteur =>
  remembering(does, () => async (request, service) => {
    const pageSize = request.operation === LIST && request.query.cursor === undefined ? most(request) : undefined;
    if (pageSize === undefined) return service(request);
    const entities: Json[] = [];
    for (let cursor: string | undefined; ; ) {
      const next = await service(asking(request, { query: { pageSize: `${Math.min(100, pageSize - entities.length)}`, cursor } }));
      if (!isSuccess(next)) return next;
      entities.push(...entitiesOf(next));
      cursor = bodyOf(next).cursor ?? undefined;
      if (cursor === undefined || entities.length >= pageSize) return success(200, { entities, cursor: cursor ?? null, pageSize });
    }
  });

/** Servers that cut the list into other pages, or lose their way between them. */
export const assignmentsPages = {
  'assignments.list.default-page-size': [
    byDefault('Holds 50 assignments on a page unless asked otherwise.', 50),
    byDefault('Holds 99 assignments on a page unless asked otherwise.', 99),
    withPagesOf('Holds 200 assignments on a page unless asked otherwise.', ({ query }) => (query.pageSize === undefined ? 200 : undefined)),
  ],
  'assignments.list.page-size': [
    misread('Holds 100 assignments on a page, whatever pageSize says.', () => 100),
    misread('Holds 50 assignments on a page at most.', (given) => Math.min(given, 50)),
    misread('Holds one assignment more on a page than pageSize says.', (given) => Math.min(given + 1, 100)),
    misread('Holds one assignment less on a page than pageSize says.', (given) => Math.max(given - 1, 1)),
    misread('Heeds pageSize on the first page only.', (given, { query }) => (query.cursor === undefined ? given : 100)),
    insteadOf('Refuses the pageSize 100.', LIST, ({ query }) => (query.pageSize === '100' ? problem(400) : undefined)),
    insteadOf('Refuses the pageSize 1.', LIST, ({ query }) => (query.pageSize === '1' ? problem(400) : undefined)),
    withPagesOf('Holds as many assignments on a page as pageSize says, more than 100, too.', ({ query }) =>
      Number(query.pageSize) > 100 ? Number(query.pageSize) : undefined,
    ),
    withPagesOf('Holds all assignments on one page where pageSize is above 100.', ({ query }) =>
      Number(query.pageSize) > 100 ? Number.MAX_SAFE_INTEGER : undefined,
    ),
  ],
  'assignments.list.cursor': [
    misreading('Takes every cursor for the start.', LIST, (request) => asking(request, { query: { cursor: undefined } })),
    whereDone(LIST, 'Has a first page and no other.', (reply, { query }) =>
      query.cursor === undefined ? withMembers(reply, { cursor: null }) : undefined,
    ),
    whereDone(LIST, 'Leaves out the first assignment of a page after the first.', (reply, { query }) =>
      query.cursor === undefined ? undefined : withEntities(reply, (entities) => entities.slice(1)),
    ),
    remembering('Begins each page with the last assignment of the one before.', () => {
      const lasts = new Map<unknown, Json>();
      return async (request, service) => {
        const reply = await service(request);
        if (request.operation !== LIST || !isSuccess(reply)) return reply;
        const last = entitiesOf(reply).at(-1);
        if (last) lasts.set(bodyOf(reply).cursor, last);
        const before = lasts.get(request.query.cursor);
        return before && request.query.cursor ? withEntities(reply, (entities) => [before, ...entities.slice(0, -1)]) : reply;
      };
    }),
    remembering('Forgets the filters after the first page.', () => async (request, service, behind) => {
      const reply = await service(request);
      const { accountId, cursor, pageSize = '100' } = request.query;
      if (request.operation !== LIST || cursor === undefined || !isSuccess(reply)) return reply;
      const others = [
        ...(await selected(request, service, accountId ? { accountId } : {})),
        ...(await inOtherAccounts(request, service, behind)),
      ];
      const unfit = others.filter((each) => Object.entries(request.query).some(([name, value]) => name in each && each[name] !== value));
      return withEntities(reply, (entities) => [...unfit, ...entities].slice(0, Number(pageSize)));
    }),
    remembering('Goes on where the last page ended where there is no cursor.', () => {
      let left: string | undefined;
      return async (request, service) => {
        if (request.operation !== LIST) return service(request);
        const reply = await service(request.query.cursor ? request : asking(request, { query: { cursor: left } }));
        left = isSuccess(reply) ? (bodyOf(reply).cursor ?? undefined) : undefined;
        return reply;
      };
    }),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
