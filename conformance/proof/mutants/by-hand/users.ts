import { randomUUID } from 'node:crypto';
import { emptySuccess, refusedBy } from '../derived/refusals.ts';
import {
  bodyOf,
  isSuccess,
  type Json,
  problem,
  type Reply,
  type Request,
  success,
  withEntities,
  withHeaders,
  withJson,
  withMembers,
  withParameters,
} from '../exchange.ts';
import { type ByHand, changeRequest, type Kit, onRequest, type Service, type Start } from '../mutant.ts';
import {
  accountsOf,
  changeRefusal,
  changeSuccess,
  claimsOf,
  entitiesOf,
  list,
  listInOtherAccounts,
  PRINCIPAL_CLAIM,
  tokenOf,
  UNKNOWN_ID,
  UUID,
} from './world.ts';

const LIST = 'getUsers';
const GET = 'getUser';

const isEmptyList = (reply: Reply): boolean => bodyOf(reply).count === 0;
const updatedAtCreation = (user: Json): Json => ({ ...user, updatedAt: user.updatedAt ?? user.createdAt });
const usersOf = (accountId: string | undefined, request: Request, service: Service) =>
  list('/users', { accountId, pageSize: '200' }, request, service);

type Account = 'hidden' | 'missing' | 'without users';

async function grantsOf(request: Request, { control }: Kit): Promise<Readonly<Record<string, string>>> {
  const principal = await control.find('principals', String(claimsOf(tokenOf(request))[PRINCIPAL_CLAIM]));
  return (principal?.accounts ?? {}) as Record<string, string>;
}

/** Whether an empty list is empty for this reason. */
async function isEmptyAs(reason: Account, reply: Reply, request: Request, kit: Kit): Promise<boolean> {
  const account = await kit.control.find('accounts', request.query.accountId ?? '');
  if (account === undefined) return reason === 'missing' && isEmptyList(reply);
  const isHidden = [undefined, 'none'].includes((await grantsOf(request, kit))[String(account.alias)]);
  if (isHidden) return reason === 'hidden' && isEmptyList(reply);
  if (reason !== 'without users' || bodyOf(reply).cursor !== null) return false;
  // The list may still show users that were deleted.
  for (const { id } of entitiesOf(reply)) if (await kit.exists('users', id)) return false;
  return true;
}

const onEmpty = (reason: Account, change: (reply: Reply, request: Request) => Reply): Start =>
  changeSuccess(LIST, async (reply, request, _, kit) =>
    (await isEmptyAs(reason, reply, request, kit)) ? change(reply, request) : undefined,
  );

/** Refuses callers that may read the account, but not manage it. */
const refuseReaders = (operation: typeof LIST | typeof GET): Start =>
  changeSuccess(operation, async (reply, request, _, kit) => {
    const accountId = request.query.accountId ?? bodyOf(reply).accountId;
    const account = await kit.control.find('accounts', accountId);
    return (await grantsOf(request, kit))[String(account?.alias)] === 'read' ? problem(403) : undefined;
  });

const othersAs = (change: (user: Json, accountId: string | undefined) => Json): Start =>
  changeSuccess(LIST, async (reply, request, service, kit) => {
    const { accountId } = request.query;
    if (bodyOf(reply).cursor !== null || !(await accountsOf(request, kit)).includes(accountId ?? '')) return undefined;
    const others = await listInOtherAccounts('/users', {}, accountId, request, service, kit);
    return withEntities(reply, (users) => [...users, ...others.map((user) => change(user, accountId))]);
  });

const count = (counted: (reply: Reply) => unknown): Start => changeSuccess(LIST, (reply) => withMembers(reply, { count: counted(reply) }));

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
const pick = (user: Json, members: readonly string[]): Json => Object.fromEntries(members.map((member) => [member, user[member]]));

/** Shows a user by its first reply. */
const keepShown =
  (change: (reply: Reply, first: Reply | undefined, request: Request, service: Service) => Reply | Promise<Reply>): Start =>
  () => {
    const firsts = new Map<unknown, Reply>();
    return {
      requests: async (request, service) => {
        const reply = await service(request);
        if (request.operation !== GET) return reply;
        const { userId } = request.path;
        if (isSuccess(reply) && !firsts.has(userId)) firsts.set(userId, reply);
        return change(reply, firsts.get(userId), request, service);
      },
    };
  };
const showAsFirst = (members: readonly string[]): Start =>
  keepShown((reply, first) => (isSuccess(reply) && first ? withMembers(reply, pick(bodyOf(first), members)) : reply));

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

const STYLES = { unified: UUID, base62: /^(?=.*[A-Za-z_-])[\w-]{1,35}$/, numeric: /^\d+$/, unsupported: /[^\w-]/ } as const;
type Style = keyof typeof STYLES;
const hasStyle = (style: Style, { path }: Request): boolean => STYLES[style].test(path.userId ?? '');

const found = (style: Style, change: (user: Json, request: Request) => Reply): Start =>
  changeSuccess(GET, (reply, request) => (hasStyle(style, request) ? change(bodyOf(reply), request) : undefined));
const findAnother = (style: Style): Start =>
  changeSuccess(GET, async (reply, request, service) => {
    if (!hasStyle(style, request)) return undefined;
    const { id, accountId } = bodyOf(reply);
    const users = await usersOf(accountId, request, service);
    return withJson(reply, users.find((user) => user.id !== id) ?? { ...bodyOf(reply), id: UNKNOWN_ID });
  });
const findBy = (style: Style) => ({ 'Finds nobody.': found(style, () => problem(404)), 'Finds another user.': findAnother(style) });

type Absence = 'hidden' | 'missing' | 'unsupported';

/** Changes the 404 about users that are absent for this reason. */
const onAbsent = (reason: Absence, change: (reply: Reply, user: Json) => Reply): Start =>
  changeRefusal('users.get.not-found', GET, async (reply, request, _, kit) => {
    if (hasStyle('unsupported', request)) return reason === 'unsupported' ? change(reply, {}) : undefined;
    const user = await kit.control.find('users', request.path.userId ?? '');
    return reason === (user ? 'hidden' : 'missing') ? change(reply, user ?? {}) : undefined;
  });
const tell = (reason: Absence, members: Json): Start => onAbsent(reason, (reply) => withMembers(reply, members));
const tellInHeader = (headers: Readonly<Record<string, string>>): Start => onAbsent('hidden', (reply) => withHeaders(reply, headers));

const detail500 = (operation: typeof LIST | typeof GET) => ({
  'Gives every 500 a detail of its own.': changeRefusal(500, operation, (reply) =>
    withMembers(reply, { detail: `Failure ${randomUUID()}` }),
  ),
  'Names what was asked for in the detail of a 500.': changeRefusal(500, operation, (reply, { url }) =>
    withMembers(reply, { detail: `Failed: ${url}` }),
  ),
  'Gives a 500 no detail.': changeRefusal(500, operation, (reply) => withMembers(reply, { detail: undefined })),
});

export const users = {
  'users.forbidden-only-by-scope': {
    'Answers 403 for the list of a hidden account.': onEmpty('hidden', () => problem(403)),
    'Answers 403 for a hidden user.': onAbsent('hidden', () => problem(403)),
    'Answers 403 for the list of an account that the caller may only read.': refuseReaders(LIST),
    'Answers 403 for a user of an account that the caller may only read.': refuseReaders(GET),
    'Answers 403 for a missing user.': onAbsent('missing', () => problem(403)),
    'Answers 403 for the list of a missing account.': onEmpty('missing', () => problem(403)),
    'Answers 403 to an expired token.': changeRefusal('auth.token.expired', [LIST, GET], () => problem(403)),
    'Answers 403 without the principal claim.': changeRefusal('auth.claim.principal', [LIST, GET], () => problem(403)),
  },
  'users.updated-at-null': {
    'Lists createdAt as updatedAt.': changeSuccess(LIST, (reply) => withEntities(reply, (all) => all.map(updatedAtCreation))),
    'Shows createdAt as updatedAt.': changeSuccess(GET, (reply) => withJson(reply, updatedAtCreation(bodyOf(reply)))),
  },
  'users.list.shape': {
    'Lists null for names that a user does not have.': changeSuccess(LIST, (reply) =>
      withEntities(reply, (all) => all.map((user) => ({ firstName: null, lastName: null, ...user }))),
    ),
  },
  'users.get.shape': {
    'Shows null for names that a user does not have.': changeSuccess(GET, (reply) =>
      withJson(reply, { firstName: null, lastName: null, ...bodyOf(reply) }),
    ),
  },
  'users.list.by-account': {
    'Lists the users of all accounts.': othersAs((user) => user),
    'Lists the users of all accounts as those of the account.': othersAs((user, accountId) => ({ ...user, accountId })),
  },
  'users.list.count': {
    'Counts the users on the page.': count((reply) => entitiesOf(reply).length),
    'Counts the users that are still to come.': onPages((reply, { before }) =>
      isSuccess(reply) ? withMembers(reply, { count: bodyOf(reply).count - before.length }) : undefined,
    ),
    'Counts one too many.': count((reply) => (isEmptyList(reply) ? 0 : bodyOf(reply).count + 1)),
    'Counts to 100 only.': count((reply) => Math.min(100, bodyOf(reply).count)),
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
    'Lists null for a missing account.': onEmpty('missing', (reply) => withMembers(reply, { entities: null })),
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
    'Counts pages in its cursors.': onPages(async (reply, page) => {
      const [was, is] = [Number(page.from?.query.pageSize), Number(page.request.query.pageSize)];
      if (!isSuccess(reply) || !changesSize(page)) return undefined;
      const start = Math.round(page.before.length / was) * is;
      const all = await usersOf(page.request.query.accountId, page.request, page.service);
      return withEntities(reply, () => all.slice(start, start + is));
    }),
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
    'Leads from the last page to itself.': changeSuccess(LIST, (reply, { query: { cursor } }) =>
      cursor && bodyOf(reply).cursor === null ? withMembers(reply, { cursor }) : undefined,
    ),
  },
  'users.list.sorted': {
    'Ignores sortBy.': sortAs({ sortBy: undefined }),
    'Ignores sortOrder.': sortAs({ sortOrder: undefined }),
    'Sorts by createdAt instead of updatedAt.': sortAs({ sortBy: 'createdAt' }, ({ query }) => query.sortBy === 'updatedAt'),
    'Sorts by firstName instead of lastName.': sortAs({ sortBy: 'firstName' }, ({ query }) => query.sortBy === 'lastName'),
    'Sorts by lastName instead of firstName.': sortAs({ sortBy: 'lastName' }, ({ query }) => query.sortBy === 'firstName'),
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
    'Lists the first names that it knew.': listAsFirst(['firstName', 'lastName']),
    'Lists the first updatedAt that it knew.': listAsFirst(['updatedAt']),
    'Counts deleted users.': keepListed((reply, { counts }) => withMembers(reply, { count: Math.max(...counts) })),
    'Does not count new users.': keepListed((reply, { counts: [first = 0] }) =>
      withMembers(reply, { count: Math.min(first, bodyOf(reply).count) }),
    ),
  },
  'users.get.by-unified-id': findBy('unified'),
  'users.get.by-base62-id': {
    ...findBy('base62'),
    'Compares Base62 ids in lower case.': changeRequest(GET, (request) =>
      hasStyle('base62', request) ? withParameters(request, { path: { userId: request.path.userId?.toLowerCase() ?? '' } }) : undefined,
    ),
  },
  'users.get.by-legacy-numeric-id': findBy('numeric'),
  'users.get.unified-id': {
    'Shows the Base62 id.': found('base62', (user, { path }) => success(200, { ...user, id: path.userId })),
    'Shows the numeric id.': found('numeric', (user, { path }) => success(200, { ...user, id: path.userId })),
    'Shows another UUID for a Base62 id.': found('base62', (user) => success(200, { ...user, id: UNKNOWN_ID })),
    'Shows another UUID for a numeric id.': found('numeric', (user) => success(200, { ...user, id: UNKNOWN_ID })),
  },
  'users.get.current': {
    'Finds a user only if the list shows it.': keepShown(async (reply, _, request, service) => {
      if (!isSuccess(reply)) return reply;
      const all = await usersOf(bodyOf(reply).accountId, request, service);
      return all.some(({ id }) => id === bodyOf(reply).id) ? reply : problem(404);
    }),
    'Shows the first names that it knew.': showAsFirst(['firstName', 'lastName']),
    'Shows the first updatedAt that it knew.': showAsFirst(['updatedAt']),
    'Shows deleted users.': keepShown((reply, first) => (first && refusedBy(reply) === 'users.get.not-found' ? first : reply)),
  },
  'users.get.causes-indistinguishable': {
    'Gives a hidden user another detail.': tell('hidden', { detail: 'This user may not be viewed.' }),
    'Gives an unsupported id another type.': tell('unsupported', { type: '/problems/unsupported-id' }),
    'Gives a missing user another title.': tell('missing', { title: 'No such user' }),
    'Names errors for an unsupported id.': tell('unsupported', { errors: [{ pointer: '/userId', message: 'is not supported' }] }),
    'Gives a hidden user no detail.': tell('hidden', { detail: undefined }),
    'Names the account of a hidden user.': onAbsent('hidden', (reply, { account }) => withMembers(reply, { accountId: account })),
    'Allows caching for a hidden user.': tellInHeader({ 'cache-control': 'private, max-age=60' }),
    'Adds a header for a hidden user.': tellInHeader({ 'x-reason': 'permission' }),
  },
  'users.list.rate': { 'Has no limit.': changeRefusal(429, LIST, (_, request, service) => service(request)) },
  'users.get.rate': { 'Has no limit.': changeRefusal(429, GET, (_, request, service) => service(request)) },
  'users.list.internal': detail500(LIST),
  'users.get.internal': {
    ...detail500(GET),
    'Gives a 500 another detail than the list does.': changeRefusal(500, GET, (reply) =>
      withMembers(reply, { detail: 'The user could not be read.' }),
    ),
  },
  'users.list.fail-closed': {
    'Asks for permissions only if the account exists.': changeRefusal('users.list.fail-closed', LIST, async (_, request, __, kit) =>
      (await kit.exists('accounts', request.query.accountId ?? '')) ? undefined : emptySuccess(request),
    ),
  },
  'users.get.fail-closed': {
    'Finds nobody.': changeRefusal('users.get.fail-closed', GET, () => problem(404)),
    'Asks for permissions only if the user exists.': changeRefusal('users.get.fail-closed', GET, async (_, { path }, __, kit) =>
      (await kit.exists('users', path.userId ?? '')) ? undefined : problem(404),
    ),
  },
} satisfies ByHand;
