import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { asking, problem, type Request } from '../exchange.ts';
import { remembering, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { refusedBy, whereRefused } from './refused.ts';
import { emptyPage } from './users-world.ts';

/** A server that answers 400 otherwise: by a page without users. */
function findsNothing(rule: string, does: string, where: (request: Request) => boolean = () => true): Saboteur {
  return whereRefused(rule, 'getUsers', does, (_reply, request) => (where(request) ? emptyPage(request) : undefined));
}

/** A server that takes a query value for another one where it should refuse it; undefined: as if it had not been given. */
function takes(rule: string, does: string, name: string, taken: (given: string) => string | undefined): Saboteur {
  return remembering(does, () => async (request, service) => {
    const reply = await service(request);
    if (refusedBy(reply) !== rule) return reply;
    return service(asking(request, { query: { [name]: taken(request.query[name] ?? '') } }));
  });
}

const UUID_WITHIN = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const pageSize = (given: string): number => (given.trim() === '' ? Number.NaN : Number(given));

/** Servers that take query values that they should refuse, or refuse them otherwise. */
export const usersQuery = {
  'users.list.account-id-required': [
    whereRefused('users.list.account-id-required', 'getUsers', 'Answers a list without accountId with 422.', () => problem(422)),
    findsNothing('users.list.account-id-required', 'Lists nothing where accountId is missing.'),
  ],
  'users.list.account-id-uuid': [
    whereRefused('users.list.account-id-uuid', 'getUsers', 'Answers an accountId that is not a UUID with 404.', () => problem(404)),
    findsNothing('users.list.account-id-uuid', 'Lists nothing where the accountId is not a UUID.'),
    findsNothing('users.list.account-id-uuid', 'Looks for a UUID somewhere in the accountId.', ({ query }) =>
      UUID_WITHIN.test(query.accountId ?? ''),
    ),
    findsNothing('users.list.account-id-uuid', 'Takes any accountId of 36 characters.', ({ query }) => query.accountId?.length === 36),
  ],
  'users.list.sort-by-allowed': [
    whereRefused('users.list.sort-by-allowed', 'getUsers', 'Answers a sortBy that is not allowed with 422.', () => problem(422)),
    takes('users.list.sort-by-allowed', 'Ignores a sortBy that is not allowed.', 'sortBy', () => undefined),
  ],
  'users.list.sort-order-allowed': [
    whereRefused('users.list.sort-order-allowed', 'getUsers', 'Answers a sortOrder that is not allowed with 422.', () => problem(422)),
    takes('users.list.sort-order-allowed', 'Ignores a sortOrder that is not allowed.', 'sortOrder', () => undefined),
  ],
  'users.list.page-size-range': [
    whereRefused('users.list.page-size-range', 'getUsers', 'Answers a pageSize that is out of range with 422.', () => problem(422)),
    takes('users.list.page-size-range', 'Takes 200 where pageSize is more.', 'pageSize', (given) =>
      pageSize(given) > 200 ? '200' : given,
    ),
    takes('users.list.page-size-range', 'Takes the default where pageSize is 0.', 'pageSize', (given) =>
      pageSize(given) === 0 ? undefined : given,
    ),
    takes('users.list.page-size-range', 'Takes 1 where pageSize is negative.', 'pageSize', (given) => (pageSize(given) < 0 ? '1' : given)),
    takes('users.list.page-size-range', 'Takes the default where pageSize is not a number.', 'pageSize', (given) =>
      Number.isNaN(pageSize(given)) ? undefined : given,
    ),
    takes('users.list.page-size-range', 'Cuts a pageSize that is not whole.', 'pageSize', (given) => `${Math.trunc(pageSize(given))}`),
    takes('users.list.page-size-range', 'Reads pageSize up to the first character that is not a digit.', 'pageSize', (given) =>
      /^\d+[^\d.]/.test(given) ? `${Number.parseInt(given, 10)}` : given,
    ),
    takes('users.list.page-size-range', 'Reads pageSize into 32 bits.', 'pageSize', (given) =>
      Number.isInteger(pageSize(given)) ? `${pageSize(given) | 0}` : given,
    ),
  ],
  'users.list.cursor-malformed': [
    whereRefused('users.list.cursor-malformed', 'getUsers', 'Answers a malformed cursor with 422.', () => problem(422)),
    takes('users.list.cursor-malformed', 'Takes a malformed cursor for the start.', 'cursor', () => undefined),
    findsNothing('users.list.cursor-malformed', 'Takes a malformed cursor for the end.'),
    takes('users.list.cursor-malformed', 'Takes for the start what it can decode.', 'cursor', (given) =>
      Buffer.from(given, 'base64url').toString('base64url') === given ? undefined : given,
    ),
    takes('users.list.cursor-malformed', 'Takes for the start an object that does not say where to go on.', 'cursor', (given) =>
      Buffer.from(given, 'base64url').toString().startsWith('{') ? undefined : given,
    ),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
