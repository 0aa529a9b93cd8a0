import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { asking, problem } from '../exchange.ts';
import type { Saboteur, SaboteursOf } from '../saboteur.ts';
import { refusedBy } from './refused.ts';
import { onPages } from './users-traversal.ts';

/** Servers that take a cursor for a list with another value of a query parameter than it was issued for. */
function unbound(rule: string, parameter: 'accountId' | 'sortBy' | 'sortOrder'): readonly [Saboteur, ...Saboteur[]] {
  return [
    onPages(`Goes on where the cursor was issued, whatever ${parameter} says now.`, (reply, { request, from, service }) =>
      from && refusedBy(reply) === rule ? service(asking(request, { query: { [parameter]: from.query[parameter] } })) : undefined,
    ),
    onPages(`Starts again where ${parameter} is not that of the cursor.`, (reply, { request, service }) =>
      refusedBy(reply) === rule ? service(asking(request, { query: { cursor: undefined } })) : undefined,
    ),
    onPages(`Answers a cursor of another ${parameter} with 409.`, (reply) => (refusedBy(reply) === rule ? problem(409) : undefined)),
  ];
}

/** Servers that do not bind cursors to what they were issued for. */
export const usersCursor = {
  'users.list.cursor-other-account': unbound('users.list.cursor-other-account', 'accountId'),
  'users.list.cursor-other-sort-by': unbound('users.list.cursor-other-sort-by', 'sortBy'),
  'users.list.cursor-other-sort-order': unbound('users.list.cursor-other-sort-order', 'sortOrder'),
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
