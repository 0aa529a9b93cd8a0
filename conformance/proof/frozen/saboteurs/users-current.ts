import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { answering, bodyOf, isSuccess, type Json, problem, type Reply, withEntities, withMembers } from '../exchange.ts';
import { reddening, remembering, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { refusedBy } from './refused.ts';
import { entitiesOf, listed } from './users-world.ts';

/** What a server keeps of the list of an account. */
interface Kept {
  /** Users as they were first listed. */
  readonly users: Map<string, Json>;
  readonly counts: number[];
}

/** A saboteur of the list that keeps what it listed once. */
function keeping(does: string, change: (reply: Reply, kept: Kept) => Reply): Saboteur {
  return remembering(does, () => {
    const accounts = new Map<string | undefined, Kept>();
    return async (request, service) => {
      const reply = await service(request);
      if (request.operation !== 'getUsers' || !isSuccess(reply)) return reply;
      const kept = accounts.get(request.query.accountId) ?? { users: new Map<string, Json>(), counts: [] };
      accounts.set(request.query.accountId, kept);
      for (const user of entitiesOf(reply)) if (!kept.users.has(user.id)) kept.users.set(user.id, user);
      kept.counts.push(bodyOf(reply).count);
      return change(reply, kept);
    };
  });
}

/** A saboteur that shows a user from what it knows: how it was first shown, and how the list shows it now. */
function stale(
  does: string,
  change: (reply: Reply, first: Reply | undefined, list: (accountId: string) => Promise<Json[]>) => Reply | Promise<Reply>,
): Saboteur {
  return remembering(does, () => {
    const shown = new Map<string | undefined, Reply>();
    return async (request, service) => {
      const reply = await service(request);
      if (request.operation !== 'getUser') return reply;
      const { userId } = request.path;
      if (isSuccess(reply) && !shown.has(userId)) shown.set(userId, reply);
      return change(reply, shown.get(userId), (accountId) => listed(request, service, { accountId }));
    };
  });
}

/** Servers that show what was. */
export const usersCurrent = {
  'users.list.eventually-current': [
    remembering('Answers a list for ever as it did first.', () => {
      const answered = new Map<string, Reply>();
      return async (request, service) => {
        const asked = `${request.url} ${request.headers.authorization}`;
        const reply = answered.get(asked) ?? (await service(request));
        if (request.operation === 'getUsers' && isSuccess(reply)) answered.set(asked, reply);
        return reply;
      };
    }),
    keeping('Goes on listing users that were deleted.', (reply, { users, counts }) => {
      const gone = [...users.values()].filter(({ id }) => !entitiesOf(reply).some((user) => user.id === id));
      return bodyOf(reply).cursor === null && bodyOf(reply).count < Math.max(...counts)
        ? withMembers(
            withEntities(reply, (entities) => [...entities, ...gone]),
            { count: Math.max(...counts) },
          )
        : reply;
    }),
    keeping('Lists users by the names that they first had.', (reply, { users }) =>
      withEntities(reply, (entities) =>
        entities.map((user) => ({ ...user, firstName: users.get(user.id)?.firstName, lastName: users.get(user.id)?.lastName })),
      ),
    ),
    keeping('Lists users with the updatedAt that they first had.', (reply, { users }) =>
      withEntities(reply, (entities) => entities.map((user) => ({ ...user, updatedAt: users.get(user.id)?.updatedAt }))),
    ),
    keeping('Goes on counting users that were deleted.', (reply, { counts }) => withMembers(reply, { count: Math.max(...counts) })),
    keeping('Never counts users that are new.', (reply, { counts: [first = 0] }) =>
      withMembers(reply, { count: Math.min(first, bodyOf(reply).count) }),
    ),
  ],
  'users.get.current': [
    reddening(
      30,
      'Whatever reads a user of its own reads one that was only just made.',
      stale('Finds a user once the list shows it.', async (reply, _first, list) => {
        if (!isSuccess(reply)) return reply;
        const { id, accountId } = bodyOf(reply);
        return (await list(accountId)).some((user) => user.id === id) ? reply : problem(404);
      }),
    ),
    stale('Shows a user by the names that it first had.', (reply, first) =>
      isSuccess(reply) && first
        ? answering(reply, { ...bodyOf(reply), firstName: bodyOf(first).firstName, lastName: bodyOf(first).lastName })
        : reply,
    ),
    stale('Shows a user with the updatedAt that it first had.', (reply, first) =>
      isSuccess(reply) && first ? withMembers(reply, { updatedAt: bodyOf(first).updatedAt }) : reply,
    ),
    stale('Goes on showing a user that was deleted.', (reply, first) =>
      first !== undefined && refusedBy(reply) === 'users.get.not-found' ? first : reply,
    ),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
