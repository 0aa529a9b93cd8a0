import { randomUUID } from 'node:crypto';
import { bodyOf, idOf, type Json, problem, type Request, withEntities, withJson, withMembers, withQuery } from '../exchange.ts';
import {
  answerInstead,
  type ByHand,
  changeRefusal,
  changeRequest,
  changeSuccess,
  type Kit,
  onRequest,
  type ReplyChange,
  type Start,
} from '../mutant.ts';
import { entitiesOf, ignoreFilter, PAST, repeatFirst, USERS } from './resources.ts';
import { claimsOf, PRINCIPAL_CLAIM, tokenOf } from './world.ts';

const { list: LIST, get: GET } = USERS;
const BOTH = [LIST, GET] as const;

/** A mutant that changes replies to lists that match no user. */
const onEmpty = (change: ReplyChange): Start =>
  changeSuccess(LIST, (reply, context) => (bodyOf(reply).count === 0 ? change(reply, context) : undefined));

const isLater = ({ query }: Request): boolean => query.cursor !== undefined;
const hasSize = ({ query }: Request): boolean => query.pageSize !== undefined;

/** A mutant whose count includes only the users that the first list contained. */
const keepCount: Start = () => {
  let first: ReadonlySet<unknown> | undefined;
  return changeSuccess(LIST, (reply) => {
    const ids = entitiesOf(reply).map(({ id }) => id);
    first ??= new Set(ids);
    return withMembers(reply, { count: ids.filter((id) => first?.has(id)).length });
  })();
};

/** A mutant that answers the first read of each user with 404. */
const findLate: Start = () => {
  const asked = new Set<string>();
  return changeSuccess(GET, (_, { request }) => {
    const isFirst = !asked.has(idOf(request));
    asked.add(idOf(request));
    return isFirst ? problem(404) : undefined;
  })();
};

/** A mutant that returns each user in the state that the first list with that user contained. */
const readAsListed: Start = () => {
  const listed = new Map<string, Json>();
  return changeSuccess(BOTH, (reply, { request }) => {
    for (const user of entitiesOf(reply)) if (!listed.has(user.id)) listed.set(user.id, user);
    const user = listed.get(idOf(request));
    return user && withJson(reply, user);
  })();
};

/** A mutant that ignores the letter case of a Base62 id when it looks for a user. */
const ignoreCase: Start = onRequest(GET, async (request, service) => {
  const reply = await service(request);
  const swapped = idOf(request).replace(/[a-z]/gi, (letter) => (/[a-z]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase()));
  return reply.status === 404 && hasStyle('base62', request) ? service({ ...request, url: `/users/${swapped}` }) : reply;
});

/** Patterns for the styles of user ids. */
const STYLES = {
  unified: /^[\da-f-]{36}$/i,
  base62: /^(?=.*[A-Za-z_-])[\w-]{1,35}$/,
  numeric: /^\d+$/,
  unsupported: /[^\w-]/,
} as const;
type Style = keyof typeof STYLES;
const hasStyle = (style: Style, request: Request): boolean => STYLES[style].test(idOf(request));

const found = (style: Style, change: (user: Json, request: Request) => Json): Start =>
  changeSuccess(GET, (reply, { request }) => (hasStyle(style, request) ? withMembers(reply, change(bodyOf(reply), request)) : undefined));
/** Returns the id and the createdAt of a user that does not exist. */
const ANOTHER = () => ({ id: randomUUID(), createdAt: PAST });

const NOT_FOUND = 'users.get.not-found';

const isThere = (request: Request, kit: Kit) => kit.exists('users', idOf(request));

/** A mutant that sends a different detail with a 404 if `isCause` returns true. */
const tell = (isCause: (request: Request, kit: Kit) => boolean | Promise<boolean>): Start =>
  changeRefusal(NOT_FOUND, GET, async (reply, { request, kit }) =>
    (await isCause(request, kit)) ? withMembers(reply, { detail: 'There is another cause.' }) : undefined,
  );

const forbidden = () => problem(403);

const detail500 = (operation: typeof LIST | typeof GET) => ({
  'Sends a different detail with every 500.': changeRefusal(500, operation, (reply) =>
    withMembers(reply, { detail: `Failure ${randomUUID()}` }),
  ),
  'Sends no detail with a 500.': changeRefusal(500, operation, (reply) => withMembers(reply, { detail: undefined })),
});

const withUpdatedAt = (user: Json): Json => ({ ...user, updatedAt: user.updatedAt ?? user.createdAt });

export const users = {
  'users.forbidden-only-by-scope': {
    'Answers 403 instead of 404.': changeRefusal(NOT_FOUND, GET, forbidden),
    'Answers 403 for empty lists.': onEmpty(forbidden),
    'Answers 403 to expired tokens.': changeRefusal('auth.token.expired', BOTH, forbidden),
    'Answers 403 to callers that may only read.': changeSuccess(BOTH, async (_, { request, kit: { control } }) => {
      const principal = await control.find('principals', String(claimsOf(tokenOf(request))[PRINCIPAL_CLAIM]));
      return Object.values((principal?.accounts ?? {}) as object).includes('manage') ? undefined : problem(403);
    }),
    'Answers 403 to tokens without the principal claim.': changeRefusal('auth.claim.principal', BOTH, forbidden),
  },
  'users.list.by-account': { 'Lists the users of all accounts.': ignoreFilter(USERS, 'accountId') },
  'users.list.count': {
    'Counts only the users on the page.': changeSuccess(LIST, (reply) => withMembers(reply, { count: entitiesOf(reply).length })),
  },
  'users.list.count-present': { 'Sends no count.': changeSuccess(LIST, (reply) => withMembers(reply, { count: undefined })) },
  'users.list.hidden-account-empty': {
    'Answers 404 if the caller may not see the account.': onEmpty(() => problem(404)),
    'Lists users of an account that the caller may not see.': onEmpty((reply, { request: { query } }) =>
      withEntities(reply, () => [{ id: randomUUID(), accountId: query.accountId, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: null }]),
    ),
  },
  'users.list.no-match-empty': { 'Answers 404 if nothing matches.': onEmpty(() => problem(404)) },
  'users.list.page-size-may-change': {
    'Refuses requests with both a cursor and a pageSize.': answerInstead(LIST, (request) =>
      isLater(request) && hasSize(request) ? problem(400) : undefined,
    ),
    'Ignores pageSize if there is a cursor.': changeRequest(LIST, (request) =>
      isLater(request) ? withQuery(request, { pageSize: undefined }) : undefined,
    ),
  },
  'users.list.sorted': {
    'Ignores sortBy.': changeRequest(LIST, (request) => withQuery(request, { sortBy: undefined })),
    'Ignores sortOrder.': changeRequest(LIST, (request) => withQuery(request, { sortOrder: undefined })),
    'Sorts only the first page correctly.': changeSuccess(LIST, (reply, { request }) =>
      isLater(request) ? withEntities(reply, (all) => all.toReversed()) : undefined,
    ),
  },
  'users.list.eventually-current': {
    'Repeats the first reply to each list.': repeatFirst(LIST),
    'Does not count new users.': keepCount,
  },
  'users.updated-at-null': {
    'Lists createdAt as updatedAt.': changeSuccess(LIST, (reply) => withEntities(reply, (all) => all.map(withUpdatedAt))),
    'Shows createdAt as updatedAt.': changeSuccess(GET, (reply) => withJson(reply, withUpdatedAt(bodyOf(reply)))),
  },
  'users.get.by-unified-id': { 'Returns another user.': found('unified', ANOTHER) },
  'users.get.by-base62-id': {
    'Returns another user.': found('base62', ANOTHER),
    'Converts ids to lower case.': changeRequest(GET, (request) =>
      hasStyle('base62', request) ? { ...request, url: request.url.toLowerCase() } : undefined,
    ),
  },
  'users.get.base62-case': { 'Ignores the letter case of Base62 ids.': ignoreCase },
  'users.get.by-legacy-numeric-id': { 'Returns another user.': found('numeric', ANOTHER) },
  'users.get.unified-id': {
    'Shows the Base62 id instead of the unified id.': found('base62', (_, request) => ({ id: idOf(request) })),
    'Shows the numeric id instead of the unified id.': found('numeric', (_, request) => ({ id: idOf(request) })),
  },
  'users.get.current': {
    'Repeats the first reply about each user.': repeatFirst(GET),
    'Answers the first read of each user with 404.': findLate,
    'Reads users from the model of the list.': readAsListed,
  },
  'users.get.causes-indistinguishable': {
    'Sends another detail if the caller may not see the user.': tell(isThere),
    'Sends another detail if the style of the id is unsupported.': tell((request) => hasStyle('unsupported', request)),
  },
  'users.list.internal': detail500(LIST),
  'users.get.internal': {
    ...detail500(GET),
    'Sends another detail with a 500 than the list of users does.': changeRefusal(500, GET, (reply) =>
      withMembers(reply, { detail: 'The user could not be read.' }),
    ),
  },
} satisfies ByHand;
