import type { Call } from './call.ts';
import { createTimestamp } from './clock.ts';
import { readQueryUuid } from './format.ts';
import { readPageSize, takePage } from './paging.ts';
import { GENERIC_FAILURE, Problem } from './problem.ts';
import type { Service } from './service.ts';
import type { Reply, User } from './types.ts';
import { findUser, showUser } from './users.ts';

const SORT_FIELDS: Record<string, (user: User) => string> = {
  created: (user) => user.createdAt,
  family: (user) => user.lastName ?? '',
  given: (user) => user.firstName ?? '',
};
const SORT_ORDERS: Record<string, number> = { ascending: 1, descending: -1 };

function requireStore(service: Service): void {
  if (!service.faults.usersStoreFails) return;
  throw new Problem(
    500,
    undefined,
    service.breach === 'failure-told' ? `the users store could not be reached at ${createTimestamp()}` : GENERIC_FAILURE,
  );
}

function readSort(service: Service, query: URLSearchParams): { compare: (a: User, b: User) => number; binding: string[] } {
  const sortBy = query.get('sortBy') ?? 'created';
  const sortOrder = query.get('sortOrder') ?? 'descending';
  const key = Object.hasOwn(SORT_FIELDS, sortBy) ? SORT_FIELDS[sortBy] : undefined;
  const sign = Object.hasOwn(SORT_ORDERS, sortOrder) ? SORT_ORDERS[sortOrder] : undefined;
  if (key === undefined) throw new Problem(400, `sortBy is not one of ${Object.keys(SORT_FIELDS).join(', ')}`);
  if (sign === undefined) throw new Problem(400, `sortOrder is not one of ${Object.keys(SORT_ORDERS).join(', ')}`);
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return {
    compare: (a, b) => sign * (order(key(a), key(b)) || order(a.id, b.id)),
    binding: service.breach === 'cursor-ignores-sort-order' ? [sortBy] : [sortBy, sortOrder],
  };
}

function readUsersPageSize(service: Service, query: URLSearchParams): number {
  const given = Number.parseInt(query.get('pageSize') ?? '100', 10);
  if (service.breach === 'page-size-prefix' && given >= 1 && given <= 200) return given;
  if (service.breach === 'page-size-capped' && given > 200) return 200;
  return readPageSize(query, 200);
}

export function getUsers({ service, token, query }: Call): Reply {
  const accountId = readQueryUuid(query, 'accountId');
  if (accountId === undefined) throw new Problem(400, 'accountId is required');
  const { compare, binding } = readSort(service, query);
  const pageSize = readUsersPageSize(service, query);
  requireStore(service);
  const visible = service.getPermission(token.principalId, { accountId }) !== 'none';
  if (service.breach === 'hidden-account-404' && !(visible && service.accounts.has(accountId))) throw new Problem(404);
  const items = visible ? [...service.userReadModel.values()].filter((user) => user.accountId === accountId) : [];
  const listing = { items, compare, binding: JSON.stringify(['users', accountId, ...binding]) };
  const page = takePage(service, listing, query.get('cursor'), pageSize);
  if (page === undefined) throw new Problem(400, 'the cursor is malformed, is too old, or belongs to another list');
  const entities = page.entities.map((user) => showUser(service, user));
  const count = service.breach === 'count-of-page' ? entities.length : items.length;
  return { status: 200, body: { kind: 'page', ...page, entities, count } };
}

export function getUser({ service, token, id }: Call): Reply {
  requireStore(service);
  const user = findUser(service, id);
  if (user === undefined) throw new Problem(404);
  if (service.getPermission(token.principalId, { accountId: user.accountId }) === 'none') {
    throw new Problem(404, undefined, service.breach === 'hidden-user-told' ? 'The account cannot be viewed.' : undefined);
  }
  return { status: 200, body: showUser(service, user) };
}
