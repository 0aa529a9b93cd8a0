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
import { type ByHand, changeRequest, type Service, type Start } from '../mutant.ts';
import { grantsOf, onEmpty, pick } from './users-world.ts';
import { changeRefusal, changeSuccess, list, UNKNOWN_ID, UUID } from './world.ts';

const LIST = 'getUsers';

const GET = 'getUser';

const updatedAtCreation = (user: Json): Json => ({ ...user, updatedAt: user.updatedAt ?? user.createdAt });

const usersOf = (accountId: string | undefined, request: Request, service: Service) =>
  list('/users', { accountId, pageSize: '200' }, request, service);

/** Refuses callers that may read the account, but not manage it. */
const refuseReaders = (operation: typeof LIST | typeof GET): Start =>
  changeSuccess(operation, async (reply, request, _, kit) => {
    const accountId = request.query.accountId ?? bodyOf(reply).accountId;
    const account = await kit.control.find('accounts', accountId);
    return (await grantsOf(request, kit))[String(account?.alias)] === 'read' ? problem(403) : undefined;
  });

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
    'Answers 403 for a missing user.': onAbsent('missing', () => problem(403)),
    'Answers 403 for the list of a missing account.': onEmpty('missing', () => problem(403)),
    'Answers 403 for the list of a hidden account.': onEmpty('hidden', () => problem(403)),
    'Answers 403 for a hidden user.': onAbsent('hidden', () => problem(403)),
    'Answers 403 for the list of an account that the caller may only read.': refuseReaders(LIST),
    'Answers 403 for a user of an account that the caller may only read.': refuseReaders(GET),
    'Answers 403 to an expired token.': changeRefusal('auth.token.expired', [LIST, GET], () => problem(403)),
    'Answers 403 without the principal claim.': changeRefusal('auth.claim.principal', [LIST, GET], () => problem(403)),
  },
  'users.updated-at-null': {
    'Lists createdAt as updatedAt.': changeSuccess(LIST, (reply) => withEntities(reply, (all) => all.map(updatedAtCreation))),
    'Shows createdAt as updatedAt.': changeSuccess(GET, (reply) => withJson(reply, updatedAtCreation(bodyOf(reply)))),
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
  },
  'users.get.current': {
    'Finds a user only if the list shows it.': keepShown(async (reply, _, request, service) => {
      if (!isSuccess(reply)) return reply;
      const all = await usersOf(bodyOf(reply).accountId, request, service);
      return all.some(({ id }) => id === bodyOf(reply).id) ? reply : problem(404);
    }),
    'Shows the first names that it knew.': showAsFirst(['firstName', 'lastName']),
    'Shows deleted users.': keepShown((reply, first) => (first && refusedBy(reply) === 'users.get.not-found' ? first : reply)),
  },
  'users.get.causes-indistinguishable': {
    'Gives a hidden user another detail.': tell('hidden', { detail: 'This user may not be viewed.' }),
    'Gives an unsupported id another type.': tell('unsupported', { type: '/problems/unsupported-id' }),
    'Gives a missing user another title.': tell('missing', { title: 'No such user' }),
    'Names errors for an unsupported id.': tell('unsupported', { errors: [{ pointer: '/userId', message: 'is not supported' }] }),
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
    'Asks for permissions only if the user exists.': changeRefusal('users.get.fail-closed', GET, async (_, { path }, __, kit) =>
      (await kit.exists('users', path.userId ?? '')) ? undefined : problem(404),
    ),
  },
} satisfies ByHand;
