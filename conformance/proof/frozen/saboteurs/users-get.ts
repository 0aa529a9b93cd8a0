import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import {
  answering,
  asking,
  bodyOf,
  isSuccess,
  type Json,
  problem,
  type Reply,
  type Request,
  success,
  withHeaders,
  withMembers,
} from '../exchange.ts';
import { misreading, reddening, remembering, type Saboteur, type SaboteursOf, saboteur } from '../saboteur.ts';
import { whereRefused } from './refused.ts';
import { invented, listed, userNotShown } from './users-world.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NUMERIC = /^[0-9]+$/;
const BASE62 = /^[0-9A-Za-z_-]+$/;

type Style = 'unified' | 'base62' | 'numeric' | 'unsupported';
function styleOf({ path: { userId = '' } }: Request): Style {
  if (UUID.test(userId)) return 'unified';
  if (NUMERIC.test(userId)) return 'numeric';
  return BASE62.test(userId) ? 'base62' : 'unsupported';
}

/** A saboteur of users that were found by an id of a style. */
function found(style: Style, does: string, change: (user: Json, request: Request) => Reply): Saboteur {
  return saboteur(does, 'getUser', (reply, request) =>
    isSuccess(reply) && styleOf(request) === style ? change(bodyOf(reply), request) : undefined,
  );
}

/** A server that finds somebody else of the same account by ids of a style. */
function findsAnother(style: Style, does: string): Saboteur {
  return remembering(does, () => async (request, service) => {
    const reply = await service(request);
    if (request.operation !== 'getUser' || !isSuccess(reply) || styleOf(request) !== style) return reply;
    const { id, accountId } = bodyOf(reply);
    const users = await listed(request, service, { accountId });
    return answering(reply, users.find((user) => user.id !== id) ?? { ...bodyOf(reply), id: invented(accountId).id });
  });
}

/** A saboteur of users that are not found, by why: not there, out of the caller's sight, or of an id style that is not supported. */
function notFound(cause: 'missing' | 'hidden' | 'unsupported', does: string, change: (reply: Reply, user: Json) => Reply): Saboteur {
  return whereRefused('users.get.not-found', 'getUser', does, async (reply, request, behind) => {
    const style = styleOf(request);
    if (cause === 'unsupported') return style === 'unsupported' ? change(reply, {}) : undefined;
    if (style === 'unsupported') return undefined;
    const user = await userNotShown(reply, request, behind);
    return (user !== undefined) === (cause === 'hidden') ? change(reply, user ?? {}) : undefined;
  });
}

/** A server that finds fault with the ids of a style that nobody has. */
function nobody(style: Style, does: string): Saboteur {
  return whereRefused('users.get.not-found', 'getUser', does, (_reply, request) => (styleOf(request) === style ? problem(400) : undefined));
}

/** Servers that find other users than they should, or tell why they find none. */
export const usersGet = {
  'users.get.by-unified-id': [
    reddening(
      30,
      'Whatever reads a user of no special kind asks for it by its unified id.',
      found('unified', 'Does not find users by their unified id.', () => problem(404)),
    ),
    findsAnother('unified', 'Finds another user by a unified id.'),
  ],
  'users.get.by-base62-id': [
    found('base62', 'Does not find users by their Base62 id.', () => problem(404)),
    findsAnother('base62', 'Finds another user by a Base62 id.'),
    misreading('Takes Base62 ids in lower case.', 'getUser', (request) =>
      styleOf(request) === 'base62' ? asking(request, { path: { userId: request.path.userId?.toLowerCase() ?? '' } }) : undefined,
    ),
  ],
  'users.get.by-legacy-numeric-id': [
    found('numeric', 'Does not find users by their legacy numeric id.', () => problem(404)),
    findsAnother('numeric', 'Finds another user by a legacy numeric id.'),
  ],
  'users.get.unified-id': [
    found('base62', 'Shows a user with the Base62 id that it was asked for by.', (user, { path }) =>
      success(200, { ...user, id: path.userId }),
    ),
    found('numeric', 'Shows a user with the numeric id that it was asked for by.', (user, { path }) =>
      success(200, { ...user, id: path.userId }),
    ),
    found('base62', 'Shows a user asked for by Base62 id with a UUID of its infrastructure.', (user) =>
      success(200, { ...user, id: invented('').id }),
    ),
    found('numeric', 'Shows a user asked for by numeric id with a UUID of its infrastructure.', (user) =>
      success(200, { ...user, id: invented('').id }),
    ),
  ],
  'users.get.not-found': [
    notFound('hidden', 'Refuses a user that the caller may not view with 403.', () => problem(403)),
    notFound('hidden', 'Shows a user that the caller may not view.', (_, user) => success(200, user)),
    notFound('missing', 'Answers for a user that does not exist with 410.', () => problem(410)),
    notFound('missing', 'Answers for a user that does not exist with null.', () => success(200, null)),
    nobody('base62', 'Refuses a Base62 id that nobody has with 400.'),
    nobody('numeric', 'Refuses a numeric id that nobody has with 400.'),
    notFound('unsupported', 'Refuses an id of an unsupported style with 400.', () => problem(400)),
    notFound('unsupported', 'Finds a user by an id of an unsupported style.', () =>
      success(200, invented('5ab07a9e-0000-4000-8000-000000000002')),
    ),
  ],
  'users.get.causes-indistinguishable': [
    notFound('hidden', 'Tells in the detail that a user may not be viewed.', (reply) =>
      withMembers(reply, { detail: 'This user may not be viewed.' }),
    ),
    notFound('unsupported', 'Has a type of problem for unsupported ids.', (reply) =>
      withMembers(reply, { type: '/problems/unsupported-id' }),
    ),
    notFound('missing', 'Has a title for users that do not exist.', (reply) => withMembers(reply, { title: 'No such user' })),
    notFound('unsupported', 'Names errors for unsupported ids.', (reply) =>
      withMembers(reply, { errors: [{ pointer: '/userId', message: 'is not supported' }] }),
    ),
    notFound('hidden', 'Says no detail where a user may not be viewed.', (reply) => withMembers(reply, { detail: undefined })),
    notFound('hidden', 'Names the account of a user that may not be viewed.', (reply, { accountId }) => withMembers(reply, { accountId })),
    notFound('hidden', 'Lets answers be cached where a user may not be viewed.', (reply) =>
      withHeaders(reply, { 'cache-control': 'private, max-age=60' }),
    ),
    notFound('hidden', 'Has a header for users that may not be viewed.', (reply) => withHeaders(reply, { 'x-reason': 'permission' })),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
