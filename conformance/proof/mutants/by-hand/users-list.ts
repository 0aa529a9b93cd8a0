import { refusedBy } from '../derived/refusals.ts';
import { bodyOf, isSuccess, type Json, problem, type Reply, type Request, withEntities, withMembers, withParameters } from '../exchange.ts';
import { type ByHand, changeRequest, onRequest, type Service, type Start } from '../mutant.ts';
import { onEmpty, pick } from './users-world.ts';
import { accountsOf, changeRefusal, changeSuccess, entitiesOf, listInOtherAccounts, UNKNOWN_ID } from './world.ts';

const LIST = 'getUsers';

const othersAs = (change: (user: Json, accountId: string | undefined) => Json): Start =>
  changeSuccess(LIST, async (reply, request, service, kit) => {
    const { accountId } = request.query;
    if (bodyOf(reply).cursor !== null || !(await accountsOf(request, kit)).includes(accountId ?? '')) return undefined;
    const others = await listInOtherAccounts('/users', {}, accountId, request, service, kit);
    return withEntities(reply, (users) => [...users, ...others.map((user) => change(user, accountId))]);
  });

interface Page {
  readonly request: Request;
  /** The request whose reply carried the cursor; undefined without a cursor. */
  readonly from: Request | undefined;
  /** The users on the pages before. */
  readonly before: readonly Json[];
  readonly service: Service;
}

/** Changes pages by what was on the pages before. */
const onPages =
  (change: (reply: Reply, page: Page) => Reply | undefined | Promise<Reply | undefined>): Start =>
  () => {
    const issued = new Map<unknown, { readonly from: Request; readonly before: readonly Json[] }>();
    return {
      requests: async (request, service) => {
        const reply = await service(request);
        if (request.operation !== LIST) return reply;
        const { from, before = [] } = issued.get(request.query.cursor) ?? {};
        if (isSuccess(reply)) issued.set(bodyOf(reply).cursor, { from: request, before: [...before, ...entitiesOf(reply)] });
        return (await change(reply, { request, from, before, service })) ?? reply;
      },
    };
  };

const unbound = (rule: string, parameter: 'accountId' | 'sortBy' | 'sortOrder') => ({
  [`Continues the list that the cursor was issued for, whatever ${parameter} is.`]: onPages((reply, { request, from, service }) =>
    from && refusedBy(reply) === rule ? service(withParameters(request, { query: { [parameter]: from.query[parameter] } })) : undefined,
  ),
  [`Starts again with another ${parameter}.`]: changeRefusal(rule, LIST, (_, request, service) =>
    service(withParameters(request, { query: { cursor: undefined } })),
  ),
});

const changesSize = ({ request, from }: Page): boolean => from !== undefined && from.query.pageSize !== request.query.pageSize;

const sortedBy = ({ query }: Request): string => query.sortBy ?? 'createdAt';

const sortAs = (query: Record<string, string | undefined>, where: (request: Request) => boolean = () => true): Start =>
  changeRequest(LIST, (request) => (where(request) ? withParameters(request, { query }) : undefined));

const readCursor = (isMeant: (cursor: string) => boolean): Start =>
  changeRefusal('users.list.cursor-malformed', LIST, (_, request, service) =>
    isMeant(request.query.cursor ?? '') ? service(withParameters(request, { query: { cursor: undefined } })) : undefined,
  );

/** Lists what was once listed. */
const keepListed =
  (change: (reply: Reply, kept: { readonly users: ReadonlyMap<string, Json>; readonly counts: readonly number[] }) => Reply): Start =>
  () => {
    const accounts = new Map<unknown, { readonly users: Map<string, Json>; readonly counts: number[] }>();
    return {
      requests: async (request, service) => {
        const reply = await service(request);
        if (request.operation !== LIST || !isSuccess(reply)) return reply;
        const kept = accounts.get(request.query.accountId) ?? { users: new Map<string, Json>(), counts: [] };
        accounts.set(request.query.accountId, kept);
        for (const user of entitiesOf(reply)) if (!kept.users.has(user.id)) kept.users.set(user.id, user);
        kept.counts.push(bodyOf(reply).count);
        return change(reply, kept);
      },
    };
  };

const listAsFirst = (members: readonly string[]): Start =>
  keepListed((reply, { users }) =>
    withEntities(reply, (all) => all.map((user) => ({ ...user, ...pick(users.get(user.id) ?? {}, members) }))),
  );

const cacheForEver: Start = () => {
  const cached = new Map<string, Reply>();
  return {
    requests: async (request, service) => {
      const key = `${request.url} ${request.headers.authorization}`;
      const reply = cached.get(key) ?? (await service(request));
      if (request.operation === LIST && isSuccess(reply)) cached.set(key, reply);
      return reply;
    },
  };
};

const count = (counted: (reply: Reply) => unknown): Start => changeSuccess(LIST, (reply) => withMembers(reply, { count: counted(reply) }));

export const usersList = {
  'users.list.by-account': {
    'Lists the users of all accounts.': othersAs((user) => user),
    'Lists the users of all accounts as those of the account.': othersAs((user, accountId) => ({ ...user, accountId })),
  },
  'users.list.count': {
    'Counts the users on the page.': count((reply) => entitiesOf(reply).length),
    'Counts the users that are still to come.': onPages((reply, { before }) =>
      isSuccess(reply) ? withMembers(reply, { count: bodyOf(reply).count - before.length }) : undefined,
    ),
    'Counts the users of a hidden account.': onEmpty('hidden', (reply) => withMembers(reply, { count: 3 })),
  },
  'users.list.count-present': {
    'Does not count.': count(() => undefined),
    'Counts on the first page only.': changeSuccess(LIST, (reply, { query }) =>
      query.cursor === undefined ? undefined : withMembers(reply, { count: undefined }),
    ),
  },
  'users.list.hidden-account-empty': {
    'Answers 403 for a hidden account.': onEmpty('hidden', () => problem(403)),
    'Answers 404 for a hidden account.': onEmpty('hidden', () => problem(404)),
    'Lists the users of a hidden account.': onEmpty('hidden', (reply, { query }) =>
      withMembers(reply, {
        entities: [{ id: UNKNOWN_ID, accountId: query.accountId, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: null }],
        count: 1,
      }),
    ),
  },
  'users.list.no-match-empty': {
    'Answers 404 for a missing account.': onEmpty('missing', () => problem(404)),
    'Answers 404 for an account without users.': onEmpty('without users', () => problem(404)),
  },
  'users.list.default-page-size': {
    'Has smaller pages after the first by default.': changeRequest(LIST, (request) =>
      request.query.pageSize === undefined && request.query.cursor !== undefined
        ? withParameters(request, { query: { pageSize: '50' } })
        : undefined,
    ),
  },
  'users.list.page-size-may-change': {
    'Refuses a cursor with another pageSize.': onPages((_, page) => (changesSize(page) ? problem(400) : undefined)),
    'Keeps the pageSize of the cursor.': onPages((_, page) =>
      changesSize(page) ? page.service(withParameters(page.request, { query: { pageSize: page.from?.query.pageSize } })) : undefined,
    ),
  },
  'users.list.traversal': {
    'Ends with the last full page.': onPages((reply, { request, before }) => {
      const left = bodyOf(reply).count - before.length - entitiesOf(reply).length;
      return isSuccess(reply) && left > 0 && left < Number(request.query.pageSize ?? 100)
        ? withMembers(reply, { cursor: null })
        : undefined;
    }),
    'Leaves out users with the same value as the last user of the page before.': onPages((reply, { request, before }) =>
      isSuccess(reply) && request.query.cursor !== undefined
        ? withEntities(reply, (all) => all.filter((user) => user[sortedBy(request)] !== before.at(-1)?.[sortedBy(request)]))
        : undefined,
    ),
    'Ends after a page whose last user has no value to sort by.': onPages((reply, { request, before }) => {
      const last = before.at(-1);
      return isSuccess(reply) && last !== undefined && last[sortedBy(request)] == null
        ? withMembers(reply, { entities: [], cursor: null })
        : undefined;
    }),
  },
  'users.list.sorted': {
    'Ignores sortBy.': sortAs({ sortBy: undefined }),
    'Ignores sortOrder.': sortAs({ sortOrder: undefined }),
    'Sorts each page by itself.': onRequest(LIST, async (request, service) => {
      const { sortBy, sortOrder } = request.query;
      if (sortBy === undefined) return service(request);
      const reply = await service(withParameters(request, { query: { sortBy: undefined, sortOrder: undefined } }));
      const sign = sortOrder === 'desc' ? -1 : 1;
      const key = (user: Json) => String(user[sortBy] ?? '');
      return withEntities(reply, (all) => all.toSorted((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : 0)));
    }),
  },
  'users.list.cursor-malformed': {
    'Takes a cursor that decodes for the start.': readCursor((cursor) => Buffer.from(cursor, 'base64url').toString('base64url') === cursor),
    'Takes a cursor that decodes to an object for the start.': readCursor((cursor) =>
      Buffer.from(cursor, 'base64url').toString().startsWith('{'),
    ),
  },
  'users.list.cursor-other-account': unbound('users.list.cursor-other-account', 'accountId'),
  'users.list.cursor-other-sort-by': unbound('users.list.cursor-other-sort-by', 'sortBy'),
  'users.list.cursor-other-sort-order': unbound('users.list.cursor-other-sort-order', 'sortOrder'),
  'users.list.eventually-current': {
    'Answers every list as it did first.': cacheForEver,
    'Lists deleted users.': keepListed((reply, { users, counts }) => {
      const most = Math.max(...counts);
      const gone = [...users.values()].filter(({ id }) => !entitiesOf(reply).some((user) => user.id === id));
      return bodyOf(reply).cursor === null && bodyOf(reply).count < most
        ? withMembers(
            withEntities(reply, (all) => [...all, ...gone]),
            { count: most },
          )
        : reply;
    }),
    'Lists users with their original names after a change.': listAsFirst(['firstName', 'lastName']),
    'Does not count new users.': keepListed((reply, { counts: [first = 0] }) =>
      withMembers(reply, { count: Math.min(first, bodyOf(reply).count) }),
    ),
  },
} satisfies ByHand;
