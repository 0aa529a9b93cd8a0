import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { answering, bodyOf, isSuccess, type Json, withEntities } from '../exchange.ts';
import { reddening, type Saboteur, type SaboteursOf, saboteur } from '../saboteur.ts';

type Change = (user: Json) => Json;

/** Users that are not as the table has them: required members left out, other types, absent as null, instants not in UTC. */
const WRONG: readonly [string, Change][] = [
  ['without an id', ({ id: _, ...user }) => user],
  ['without an accountId', ({ accountId: _, ...user }) => user],
  ['without a createdAt', ({ createdAt: _, ...user }) => user],
  ['with an id that is not a UUID', (user) => ({ ...user, id: `user-${user.id}` })],
  ['with an accountId that is not a UUID', (user) => ({ ...user, accountId: `account-${user.accountId}` })],
  ['with its names in an object', ({ firstName, lastName, ...user }) => ({ ...user, firstName: { firstName, lastName } })],
  ['with a createdAt in milliseconds', (user) => ({ ...user, createdAt: Date.parse(user.createdAt) })],
  ['with a createdAt that is not in UTC', (user) => ({ ...user, createdAt: inParis(user.createdAt) })],
  ['with an updatedAt in milliseconds', (user) => ({ ...user, updatedAt: Date.parse(user.updatedAt) })],
  ['with an updatedAt that says no zone', (user) => ({ ...user, updatedAt: user.updatedAt.slice(0, -1) })],
];

/** The same instant. */
function inParis(instant: string): string {
  return new Date(Date.parse(instant) + 3_600_000).toISOString().replace('Z', '+01:00');
}

/** Servers of which one operation shows users wrong. Most of what they redden is spared where only users that were updated are. */
function wrongIn(operation: 'getUsers' | 'getUser', shows: string): readonly [Saboteur, ...Saboteur[]] {
  const showing = (how: string, change: Change) =>
    saboteur(`${shows} ${how}.`, operation, (reply) => {
      if (!isSuccess(reply)) return undefined;
      return operation === 'getUser' ? answering(reply, change(bodyOf(reply))) : withEntities(reply, (users) => users.map(change));
    });
  const nameless = showing('a user with null for the names that it does not have', (user) => ({
    firstName: null,
    lastName: null,
    ...user,
  }));
  return [
    reddening(50, 'Whatever asks for users of no special kind meets one without names.', nameless),
    ...WRONG.map(([how, change]) => showing(`a user that was updated ${how}`, (user) => (user.updatedAt ? change(user) : user))),
  ];
}

/** Servers that show users in another shape. */
export const usersShape = {
  'users.list.shape': wrongIn('getUsers', 'Lists'),
  'users.get.shape': wrongIn('getUser', 'Shows'),
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
