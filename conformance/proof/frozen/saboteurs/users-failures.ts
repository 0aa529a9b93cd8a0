import { randomUUID } from 'node:crypto';
import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { problem, success, withHeaders, withMembers } from '../exchange.ts';
import { remembering, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { refusedBy, whereRefused } from './refused.ts';
import { callerOf, emptyPage, invented, userAskedFor } from './users-world.ts';

type Operation = 'getUsers' | 'getUser';

/** A server that asks no token for the scope. */
function withoutScope(rule: string, operation: Operation, does: string): Saboteur {
  return remembering(does, () => async (request, service, { control }) => {
    const reply = await service(request);
    if (request.operation !== operation || refusedBy(reply) !== rule) return reply;
    const { client, principal } = callerOf(request);
    const token = await control.token({ client, ...(principal && { principal }) });
    return service(withHeaders(request, { authorization: `Bearer ${token}` }));
  });
}

/** A server that ignores an injected 429. */
function onceMore(operation: Operation, does: string): Saboteur {
  return remembering(does, () => async (request, service) => {
    const reply = await service(request);
    return request.operation === operation && reply.status === 429 ? service(request) : reply;
  });
}

/** Servers that refuse otherwise, or not at all, what is refused for another reason than the request's parameters. */
export const usersFailures = {
  'users.list.scope': [
    whereRefused('users.list.scope', 'getUsers', 'Answers a list with a token without the scope with 401.', () => problem(401)),
    whereRefused('users.list.scope', 'getUsers', 'Lists nothing to a token without the scope.', (_, request) => emptyPage(request)),
    withoutScope('users.list.scope', 'getUsers', 'Lists users to any good token.'),
  ],
  'users.get.scope': [
    whereRefused('users.get.scope', 'getUser', 'Answers a read with a token without the scope with 401.', () => problem(401)),
    whereRefused('users.get.scope', 'getUser', 'Finds nobody with a token without the scope.', () => problem(404)),
    withoutScope('users.get.scope', 'getUser', 'Shows users to any good token.'),
  ],
  'users.list.rate': [
    whereRefused(429, 'getUsers', 'Answers too many lists with 503.', () => problem(503)),
    onceMore('getUsers', 'Lets too many lists pass.'),
  ],
  'users.get.rate': [
    whereRefused(429, 'getUser', 'Answers too many reads with 503.', () => problem(503)),
    onceMore('getUser', 'Lets too many reads pass.'),
  ],
  'users.list.internal': [
    whereRefused(500, 'getUsers', 'Says another detail with every 500 of the list.', (reply) =>
      withMembers(reply, { detail: `Failure ${randomUUID()}` }),
    ),
    whereRefused(500, 'getUsers', 'Names the account in the detail of a 500.', (reply, { query }) =>
      withMembers(reply, { detail: `The users of the account ${query.accountId} cannot be listed.` }),
    ),
    whereRefused(500, 'getUsers', 'Says no detail with a 500 of the list.', (reply) => withMembers(reply, { detail: undefined })),
  ],
  'users.get.internal': [
    whereRefused(500, 'getUser', 'Says another detail with every 500 of a read.', (reply) =>
      withMembers(reply, { detail: `Failure ${randomUUID()}` }),
    ),
    whereRefused(500, 'getUser', 'Names the user in the detail of a 500.', (reply, { path }) =>
      withMembers(reply, { detail: `The user ${path.userId} cannot be read.` }),
    ),
    whereRefused(500, 'getUser', 'Says of a read with 500 that it was a read.', (reply) =>
      withMembers(reply, { detail: 'The user could not be read.' }),
    ),
    whereRefused(500, 'getUser', 'Says no detail with a 500 of a read.', (reply) => withMembers(reply, { detail: undefined })),
  ],
  'users.list.fail-closed': [
    whereRefused('users.list.fail-closed', 'getUsers', 'Lists nothing while permissions cannot be asked for.', (_, request) =>
      emptyPage(request),
    ),
    whereRefused('users.list.fail-closed', 'getUsers', 'Lists users while permissions cannot be asked for.', (_, request) =>
      emptyPage(request, { entities: [invented(request.query.accountId)], count: 1 }),
    ),
    whereRefused('users.list.fail-closed', 'getUsers', 'Answers a list with 500 while permissions cannot be asked for.', () =>
      problem(500),
    ),
    whereRefused('users.list.fail-closed', 'getUsers', 'Answers a list with 403 while permissions cannot be asked for.', () =>
      problem(403),
    ),
    whereRefused(
      'users.list.fail-closed',
      'getUsers',
      'Asks for permissions only once the account is found.',
      async (_, request, behind) => ((await behind.exists('accounts', request.query.accountId ?? '')) ? undefined : emptyPage(request)),
    ),
  ],
  'users.get.fail-closed': [
    whereRefused('users.get.fail-closed', 'getUser', 'Finds nobody while permissions cannot be asked for.', () => problem(404)),
    whereRefused('users.get.fail-closed', 'getUser', 'Shows users while permissions cannot be asked for.', async (_, request, behind) => {
      const user = await userAskedFor(request, behind);
      return user ? success(200, user) : problem(404);
    }),
    whereRefused('users.get.fail-closed', 'getUser', 'Answers a read with 500 while permissions cannot be asked for.', () => problem(500)),
    whereRefused('users.get.fail-closed', 'getUser', 'Answers a read with 403 while permissions cannot be asked for.', () => problem(403)),
    whereRefused('users.get.fail-closed', 'getUser', 'Asks for permissions only once the user is found.', async (_, { path }, behind) =>
      (await behind.exists('users', path.userId ?? '')) ? undefined : problem(404),
    ),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
