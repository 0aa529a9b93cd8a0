import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { deleteAssignmentsOf } from './assignments.ts';
import { createTimestamp } from './clock.ts';
import { publish } from './events.ts';
import { readQueryUuid } from './format.ts';
import { readPageSize, takePage } from './paging.ts';
import { Problem } from './problem.ts';
import type { Call, Reply, Service, User } from './service.ts';

/** The delay, in milliseconds, before a change appears in the users list. */
const READ_MODEL_LAG = 300;
const BASE62 = /^[0-9A-Za-z]+$/;

function showUser({ nativeIds: _, ...fields }: User): object {
  return { kind: 'user', ...fields };
}

/** Finds a user by the unified id, or by a native id in Base62 or legacy numeric style. */
function findUser({ users }: Service, id: string): User | undefined {
  const unified = users.get(id.toLowerCase());
  if (unified !== undefined || !BASE62.test(id)) return unified;
  return [...users.values()].find((user) => user.nativeIds.includes(id));
}

function updateReadModel(service: Service, id: string): void {
  service.runLater(READ_MODEL_LAG, () => {
    const user = service.users.get(id);
    if (user !== undefined) service.userReadModel.set(id, { ...user });
    else service.userReadModel.delete(id);
  });
}

function publishUserEvent(service: Service, user: User, action: string, updatedAt: string): void {
  for (const { targetType, targetValue, experienceId } of service.assignments.values()) {
    if (targetType !== 'ACCOUNT' || targetValue !== user.accountId) continue;
    publish(service, `provisioning.user.${action}`, experienceId, { userId: user.id, accountId: user.accountId, updatedAt, native: false });
  }
}

interface NewUser extends Pick<User, 'accountId' | 'firstName' | 'lastName'> {
  /** Default: a Base62 id and a legacy numeric id. */
  nativeIds?: string[];
}

export function createUser(service: Service, { nativeIds = createNativeIds(), ...given }: NewUser): User {
  const user: User = { id: randomUUID(), ...given, nativeIds, createdAt: createTimestamp(), updatedAt: null };
  service.users.set(user.id, user);
  updateReadModel(service, user.id);
  publishUserEvent(service, user, 'created', user.createdAt);
  return user;
}

const createNativeIds = (): string[] => [`u${randomBytes(9).toString('hex')}Z`, String(randomInt(1e9, 1e10))];

export function updateUser(service: Service, user: User, change: Pick<User, 'firstName' | 'lastName'>): void {
  Object.assign(user, change, { updatedAt: createTimestamp() });
  updateReadModel(service, user.id);
}

export function deleteUser(service: Service, user: User): void {
  service.users.delete(user.id);
  updateReadModel(service, user.id);
  publishUserEvent(service, user, 'deleted', createTimestamp());
  deleteAssignmentsOf(service, 'USER', user.id);
}

const SORT_FIELDS: ReadonlyMap<string, (user: User) => string> = new Map([
  ['created', (user) => user.createdAt],
  ['family', (user) => user.lastName ?? ''],
  ['given', (user) => user.firstName ?? ''],
]);
const SORT_ORDERS: ReadonlyMap<string, number> = new Map([
  ['ascending', 1],
  ['descending', -1],
]);

function readSort(query: URLSearchParams): { compare: (a: User, b: User) => number; binding: string[] } {
  const sortBy = query.get('sortBy') ?? 'created';
  const sortOrder = query.get('sortOrder') ?? 'descending';
  const key = SORT_FIELDS.get(sortBy);
  const sign = SORT_ORDERS.get(sortOrder);
  if (key === undefined) throw new Problem(400, `sortBy is not one of ${[...SORT_FIELDS.keys()].join(', ')}`);
  if (sign === undefined) throw new Problem(400, `sortOrder is not one of ${[...SORT_ORDERS.keys()].join(', ')}`);
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return { compare: (a, b) => sign * (order(key(a), key(b)) || order(a.id, b.id)), binding: [sortBy, sortOrder] };
}

export function getUsers({ service, token, query }: Call): Reply {
  const accountId = readQueryUuid(query, 'accountId');
  if (accountId === undefined) throw new Problem(400, 'accountId is required');
  const { compare, binding } = readSort(query);
  const pageSize = readPageSize(query, 200);
  if (service.faults.usersStoreFails) throw new Problem(500);
  const isVisible = service.getPermission(token.principalId, { accountId }) !== 'none';
  const items = isVisible ? [...service.userReadModel.values()].filter((user) => user.accountId === accountId) : [];
  const listing = { items, compare, binding: JSON.stringify(['users', accountId, ...binding]) };
  const page = takePage(service, listing, query.get('cursor'), pageSize);
  if (page === undefined) throw new Problem(400, 'the cursor is malformed, is too old, or belongs to another list');
  return { status: 200, body: { kind: 'page', ...page, entities: page.entities.map(showUser), count: items.length } };
}

export function getUser({ service, token, id }: Call): Reply {
  if (service.faults.usersStoreFails) throw new Problem(500);
  const user = findUser(service, id);
  if (user === undefined || service.getPermission(token.principalId, { accountId: user.accountId }) === 'none') throw new Problem(404);
  return { status: 200, body: showUser(user) };
}
