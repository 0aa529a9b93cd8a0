import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { bodyOf, isSuccess, type Json, problem, withEntities, withMembers } from '../exchange.ts';
import { reddening, remembering, type Sabotage, type SaboteursOf, saboteur } from '../saboteur.ts';
import { onPages } from './users-traversal.ts';
import { entitiesOf, grantsOf, invented, isEmptyList, isOfHiddenAccount, listed } from './users-world.ts';

/** Servers that list other users than they should, or count them wrong. */
export const usersList = {
  'users.list.by-account': [
    remembering('Lists the users of all accounts that the caller may view.', () => withUsersOfOthers((user) => user)),
    remembering('Lists users of other accounts as if they were of the one asked for.', () =>
      withUsersOfOthers((user, accountId) => ({ ...user, accountId })),
    ),
  ],
  'users.list.count': [
    saboteur('Counts the users on the page.', 'getUsers', (reply) =>
      isSuccess(reply) ? withMembers(reply, { count: entitiesOf(reply).length }) : undefined,
    ),
    onPages('Counts the users that are still to come.', (reply, { before }) =>
      isSuccess(reply) ? withMembers(reply, { count: bodyOf(reply).count - before.length }) : undefined,
    ),
    saboteur('Counts one user too many.', 'getUsers', (reply) =>
      isSuccess(reply) && !isEmptyList(reply) ? withMembers(reply, { count: bodyOf(reply).count + 1 }) : undefined,
    ),
    saboteur('Counts to 100 at most.', 'getUsers', (reply) =>
      isSuccess(reply) ? withMembers(reply, { count: Math.min(100, bodyOf(reply).count) }) : undefined,
    ),
    saboteur('Counts the users of an account that the caller may not view.', 'getUsers', async (reply, request, behind) =>
      (await isOfHiddenAccount(reply, request, behind)) ? withMembers(reply, { count: 3 }) : undefined,
    ),
  ],
  'users.list.count-present': [
    saboteur('Lists without a count.', 'getUsers', (reply) => (isSuccess(reply) ? withMembers(reply, { count: undefined }) : undefined)),
    saboteur('Counts on the first page only.', 'getUsers', (reply, { query }) =>
      isSuccess(reply) && query.cursor !== undefined ? withMembers(reply, { count: undefined }) : undefined,
    ),
  ],
  'users.list.hidden-account-empty': [
    saboteur('Refuses the list of an account that the caller may not view with 403.', 'getUsers', async (reply, request, behind) =>
      (await isOfHiddenAccount(reply, request, behind)) ? problem(403) : undefined,
    ),
    saboteur('Answers the list of an account that the caller may not view with 404.', 'getUsers', async (reply, request, behind) =>
      (await isOfHiddenAccount(reply, request, behind)) ? problem(404) : undefined,
    ),
    saboteur('Lists the users of an account that the caller may not view.', 'getUsers', async (reply, request, behind) =>
      (await isOfHiddenAccount(reply, request, behind))
        ? withMembers(reply, { entities: [invented(request.query.accountId)], count: 1 })
        : undefined,
    ),
  ],
  'users.list.no-match-empty': [
    saboteur('Answers the list of an account that does not exist with 404.', 'getUsers', async (reply, { query }, behind) =>
      isEmptyList(reply) && !(await behind.exists('accounts', query.accountId ?? '')) ? problem(404) : undefined,
    ),
    reddening(
      25,
      'Whatever asks for any list of users meets an account without users.',
      saboteur('Answers the list of an account without users with 404.', 'getUsers', async (reply, request, behind) =>
        (await isWithoutUsers(reply, request, behind)) ? problem(404) : undefined,
      ),
    ),
    saboteur(
      'Answers the list of an account that does not exist with null for the entities.',
      'getUsers',
      async (reply, { query }, behind) =>
        isEmptyList(reply) && !(await behind.exists('accounts', query.accountId ?? ''))
          ? withMembers(reply, { entities: null })
          : undefined,
    ),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;

/** Whether an account is there, for the caller too, and without users: the list may still show who is gone. */
async function isWithoutUsers(...[reply, request, behind]: Parameters<typeof isOfHiddenAccount>): Promise<boolean> {
  if (!isSuccess(reply) || bodyOf(reply).cursor !== null || (await isOfHiddenAccount(reply, request, behind))) return false;
  for (const { id } of entitiesOf(reply)) if (await behind.exists('users', id)) return false;
  return behind.exists('accounts', request.query.accountId ?? '');
}

/** After the last user come those of the other accounts that the caller may view; the count says nothing of them. */
function withUsersOfOthers(change: (user: Json, accountId: string | undefined) => Json): Sabotage {
  return async (request, service, behind) => {
    const reply = await service(request);
    if (request.operation !== 'getUsers' || !isSuccess(reply) || bodyOf(reply).cursor !== null) return reply;
    const { accountId } = request.query;
    const aliases = Object.keys(await grantsOf(request, behind));
    const viewed = await Promise.all(aliases.map(async (alias) => (await behind.control.find('accounts', alias))?.id as string));
    if (!viewed.some((id) => id === accountId)) return reply;
    const others: Json[] = [];
    for (const id of viewed) if (id !== accountId) others.push(...(await listed(request, service, { accountId: id })));
    return withEntities(reply, (users) => [...users, ...others.map((user) => change(user, accountId))]);
  };
}
