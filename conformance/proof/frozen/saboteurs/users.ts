import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { answering, bodyOf, isSuccess, type Json, problem, withEntities } from '../exchange.ts';
import { type SaboteursOf, saboteur } from '../saboteur.ts';
import { whereRefused } from './refused.ts';
import { usersCurrent } from './users-current.ts';
import { usersCursor } from './users-cursor.ts';
import { usersFailures } from './users-failures.ts';
import { usersGet } from './users-get.ts';
import { usersList } from './users-list.ts';
import { usersPages } from './users-pages.ts';
import { usersQuery } from './users-query.ts';
import { usersShape } from './users-shape.ts';
import { usersSorted } from './users-sorted.ts';
import { isEmptyList, isOfHiddenAccount, mayOnlyRead, userNotShown } from './users-world.ts';

const BOTH = ['getUsers', 'getUser'] as const;

/** Servers that break one rule each. */
export const users: SaboteursOf<Extract<TestableRuleId['openapi'], `users.${string}`>> = {
  'users.forbidden-only-by-scope': [
    saboteur('Refuses the list of an account that the caller may not view with 403.', 'getUsers', async (reply, request, behind) =>
      (await isOfHiddenAccount(reply, request, behind)) ? problem(403) : undefined,
    ),
    saboteur('Refuses a user that the caller may not view with 403.', 'getUser', async (reply, request, behind) =>
      (await userNotShown(reply, request, behind)) ? problem(403) : undefined,
    ),
    saboteur('Refuses the list of an account that the caller may only read with 403.', 'getUsers', async (reply, request, behind) =>
      isSuccess(reply) && (await mayOnlyRead(request, request.query.accountId ?? '', behind)) ? problem(403) : undefined,
    ),
    saboteur('Refuses a user of an account that the caller may only read with 403.', 'getUser', async (reply, request, behind) =>
      isSuccess(reply) && (await mayOnlyRead(request, bodyOf(reply).accountId, behind)) ? problem(403) : undefined,
    ),
    saboteur('Refuses a user that does not exist with 403.', 'getUser', async (reply, request, behind) =>
      reply.status === 404 && !(await behind.exists('users', request.path.userId ?? '')) ? problem(403) : undefined,
    ),
    saboteur('Refuses the list of an account that does not exist with 403.', 'getUsers', async (reply, { query }, behind) =>
      isEmptyList(reply) && !(await behind.exists('accounts', query.accountId ?? '')) ? problem(403) : undefined,
    ),
    whereRefused('auth.token.expired', BOTH, 'Answers a token that has expired with 403.', () => problem(403)),
    whereRefused('auth.claim.principal', BOTH, 'Answers a token without the principal claim with 403.', () => problem(403)),
  ],
  'users.updated-at-null': [
    saboteur('Lists a user that was never updated with its createdAt as updatedAt.', 'getUsers', (reply) =>
      reply.status === 200 ? withEntities(reply, (entities) => entities.map(updatedAtCreation)) : undefined,
    ),
    saboteur('Shows a user that was never updated with its createdAt as updatedAt.', 'getUser', (reply) =>
      reply.status === 200 ? answering(reply, updatedAtCreation(bodyOf(reply))) : undefined,
    ),
  ],
  ...usersList,
  ...usersPages,
  ...usersQuery,
  ...usersCursor,
  ...usersSorted,
  ...usersGet,
  ...usersShape,
  ...usersCurrent,
  ...usersFailures,
};

function updatedAtCreation(user: Json): Json {
  return { ...user, updatedAt: user.updatedAt ?? user.createdAt };
}
