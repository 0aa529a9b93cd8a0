import { randomUUID } from 'node:crypto';
import {
  changeEntities,
  changeMembers,
  changeQuery,
  createProblemReply,
  isSuccess,
  type Json,
  parseBody,
  type Request,
} from '../exchange.ts';
import {
  changeRefusal,
  changeReply,
  changeRequest,
  changeSuccess,
  handleRequests,
  type Kit,
  type MutantsByRule,
  replaceReply,
  type StartMutant,
} from '../mutant.ts';
import { ignoreFilter, readEntities, repeatFirstReply, USERS } from './resources.ts';
import { findGrants } from './world.ts';

const { list: LIST, get: GET } = USERS;
const USER_OPERATIONS = [LIST, GET] as const;

const refuseEmptyList = (status: number): StartMutant =>
  changeSuccess(LIST, (reply) => (parseBody(reply).count === 0 ? createProblemReply(status) : undefined));

const listNobodyAfterFailure: StartMutant = () => {
  let hasFailed = false;
  return changeReply(LIST, (reply) => {
    const isNext = hasFailed && isSuccess(reply);
    hasFailed = reply.status === 503;
    return isNext ? changeMembers(reply, { entities: [], cursor: null, count: 0 }) : undefined;
  })();
};

const useCursorsOnce: StartMutant = () => {
  const used = new Set<string>();
  return handleRequests(LIST, async (request, service) => {
    const { cursor } = request.query;
    if (cursor !== undefined && used.has(cursor)) return createProblemReply(400);
    if (cursor !== undefined) used.add(cursor);
    return service(request);
  })();
};

/** A mutant that ignores a Base62 id's letter case when it looks up a user. */
const ignoreCase: StartMutant = handleRequests(GET, async (request, service) => {
  const reply = await service(request);
  const swapped = request.id.replace(/[a-z]/gi, (letter) => (/[a-z]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase()));
  return reply.status === 404 && hasIdStyle('base62', request) ? service({ ...request, url: `/users/${swapped}` }) : reply;
});

const ID_STYLES = {
  unified: /^[\da-f-]{36}$/i,
  base62: /^(?=.*[A-Za-z_-])[\w-]{1,35}$/,
  numeric: /^\d+$/,
  unsupported: /[^\w-]/,
} as const;
type IdStyle = keyof typeof ID_STYLES;
const hasIdStyle = (style: IdStyle, request: Request): boolean => ID_STYLES[style].test(request.id);

const changeFoundUser = (style: IdStyle, createMembers: (request: Request) => Json): StartMutant =>
  changeSuccess(GET, (reply, { request }) => (hasIdStyle(style, request) ? changeMembers(reply, createMembers(request)) : undefined));
const createAnotherUser = () => ({ id: randomUUID(), createdAt: '2001-01-01T00:00:00.000Z' });
const showGivenId = ({ id }: Request) => ({ id });

const NOT_FOUND = 'users.get.not-found';

const revealCause = (isCause: (request: Request, kit: Kit) => boolean | Promise<boolean>): StartMutant =>
  changeRefusal(NOT_FOUND, GET, async (reply, { request, kit }) =>
    (await isCause(request, kit)) ? changeMembers(reply, { detail: 'The user exists, but cannot be returned.' }) : undefined,
  );

const createForbiddenReply = () => createProblemReply(403);

const createDetailMutants = (operation: typeof LIST | typeof GET) => ({
  'Sends a different detail with every 500.': changeRefusal(500, operation, (reply) =>
    changeMembers(reply, { detail: `Failure ${randomUUID()}` }),
  ),
  'Sends no detail with a 500.': changeRefusal(500, operation, (reply) => changeMembers(reply, { detail: undefined })),
});

const addUpdatedAt = (user: Json): Json => ({ ...user, updatedAt: user.updatedAt ?? user.createdAt });

export const users = {
  'http.pages.traversal-complete': { 'A cursor of the users list can be used only once.': useCursorsOnce },
  'users.forbidden-only-by-scope': {
    'Answers 403 instead of 404.': changeRefusal(NOT_FOUND, GET, createForbiddenReply),
    'Answers 403 instead of an empty list.': refuseEmptyList(403),
    'Answers 403 to expired tokens.': changeRefusal('auth.token.expired', USER_OPERATIONS, createForbiddenReply),
    'Answers 403 to callers that may only read.': changeSuccess(USER_OPERATIONS, async (_, { request, kit }) =>
      Object.values(await findGrants(request, kit)).includes('manage') ? undefined : createForbiddenReply(),
    ),
    'Answers 403 to tokens without the principal claim.': changeRefusal('auth.claim.principal', USER_OPERATIONS, createForbiddenReply),
  },
  'users.list.by-account': { 'Lists the users of all accounts.': ignoreFilter(USERS, 'accountId') },
  'users.list.count': {
    'Counts only the users on the page.': changeSuccess(LIST, (reply) => changeMembers(reply, { count: readEntities(reply).length })),
  },
  'users.list.count-present': { 'Sends no count.': changeSuccess(LIST, (reply) => changeMembers(reply, { count: undefined })) },
  'users.list.hidden-account-empty': {
    'Answers 404 if the caller may not see the account.': refuseEmptyList(404),
  },
  'users.list.no-match-empty': { 'Answers 404 if nothing matches.': refuseEmptyList(404) },
  'users.list.page-size-may-change': {
    'Refuses requests with both a cursor and a pageSize.': replaceReply(LIST, ({ query }) =>
      query.cursor !== undefined && query.pageSize !== undefined ? createProblemReply(400) : undefined,
    ),
  },
  'users.list.sorted': {
    'Ignores sortBy.': changeRequest(LIST, (request) => changeQuery(request, { sortBy: undefined })),
    'Ignores sortOrder.': changeRequest(LIST, (request) => changeQuery(request, { sortOrder: undefined })),
  },
  'users.list.fail-closed': { 'Lists nobody in the first request after a failure.': listNobodyAfterFailure },
  'users.list.eventually-current': {
    'Answers every request for a list with the first reply.': repeatFirstReply(LIST),
  },
  'users.updated-at-null': {
    'In lists, shows the value of createdAt in updatedAt.': changeSuccess(LIST, (reply) =>
      changeEntities(reply, (all) => all.map(addUpdatedAt)),
    ),
    'Shows the value of createdAt in updatedAt.': changeSuccess(GET, (reply) => changeMembers(reply, addUpdatedAt(parseBody(reply)))),
  },
  'users.get.by-unified-id': { 'Returns a different user.': changeFoundUser('unified', createAnotherUser) },
  'users.get.by-base62-id': {
    'Returns a different user.': changeFoundUser('base62', createAnotherUser),
    'Converts ids to lower case.': changeRequest(GET, (request) =>
      hasIdStyle('base62', request) ? { ...request, url: request.url.toLowerCase() } : undefined,
    ),
  },
  'users.get.base62-case': { 'Ignores the letter case of Base62 ids.': ignoreCase },
  'users.get.by-legacy-numeric-id': { 'Returns a different user.': changeFoundUser('numeric', createAnotherUser) },
  'users.get.unified-id': {
    'Shows the Base62 id instead of the unified id.': changeFoundUser('base62', showGivenId),
    'Shows the numeric id instead of the unified id.': changeFoundUser('numeric', showGivenId),
  },
  'users.get.current': {
    'Answers every read of a user with the first reply.': repeatFirstReply(GET),
  },
  'users.get.causes-indistinguishable': {
    'Sends a different detail if the caller may not see the user.': revealCause((request, kit) => kit.exists('users', request.id)),
    'Sends a different detail if the id has an unsupported style.': revealCause((request) => hasIdStyle('unsupported', request)),
  },
  'users.list.internal': createDetailMutants(LIST),
  'users.get.internal': {
    ...createDetailMutants(GET),
    'Sends different details in the 500s of getUser and getUsers.': changeRefusal(500, GET, (reply) =>
      changeMembers(reply, { detail: 'The user could not be read.' }),
    ),
  },
} satisfies MutantsByRule;
