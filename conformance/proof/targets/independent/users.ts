import { randomUUID } from 'node:crypto';
import { deleteAssignmentsOf } from './assignments.ts';
import { createTimestamp } from './clock.ts';
import { publish } from './events.ts';
import { READ_MODEL_LAG, type Service } from './service.ts';
import type { User } from './types.ts';

const BASE62 = /^[0-9A-Za-z]+$/;
const NUMERIC = /^[0-9]+$/;

export interface NewUser {
  id?: string;
  accountId: string;
  firstName?: string;
  lastName?: string;
  nativeIds: string[];
}

export function showUser(service: Service, user: User): object {
  const { nativeIds: _nativeIds, ...fields } = user;
  if (service.breach === 'updated-at-creation') fields.updatedAt ??= fields.createdAt;
  return { kind: 'user', ...fields };
}

/** Finds a user by the unified id, or by a native id in Base62 or legacy numeric style. */
export function findUser(service: Service, id: string): User | undefined {
  const users = service.breach === 'stale-user' ? service.userReadModel : service.users;
  const unified = users.get(id.toLowerCase());
  if (unified !== undefined) return unified;
  if (!BASE62.test(id)) return undefined;
  if (service.breach === 'numeric-id-unknown' && NUMERIC.test(id)) return undefined;
  return [...users.values()].find((user) => user.nativeIds.includes(id));
}

function updateReadModel(service: Service, id: string): void {
  service.runLater(READ_MODEL_LAG, () => {
    const user = service.users.get(id);
    if (user !== undefined) service.userReadModel.set(id, { ...user });
    else if (service.breach !== 'deleted-user-listed') service.userReadModel.delete(id);
  });
}

function publishUserEvent(service: Service, user: User, action: string, updatedAt: string): void {
  for (const { targetType, targetValue, experienceId } of service.assignments.values()) {
    if (targetType !== 'ACCOUNT' || targetValue !== user.accountId) continue;
    publish(service, `provisioning.user.${action}`, experienceId, { userId: user.id, accountId: user.accountId, updatedAt, native: false });
  }
}

export function createUser(service: Service, given: NewUser): User {
  const { id = randomUUID(), ...fields } = given;
  const user: User = { id, ...fields, createdAt: createTimestamp(), updatedAt: null };
  service.users.set(user.id, user);
  updateReadModel(service, user.id);
  publishUserEvent(service, user, 'created', user.createdAt);
  return user;
}

export function updateUser(service: Service, user: User, change: { firstName?: string; lastName?: string }): void {
  Object.assign(user, change, { updatedAt: createTimestamp() });
  updateReadModel(service, user.id);
}

export function deleteUser(service: Service, user: User): void {
  service.users.delete(user.id);
  updateReadModel(service, user.id);
  publishUserEvent(service, user, 'deleted', createTimestamp());
  if (service.breach !== 'user-deletion-keeps-assignment') deleteAssignmentsOf(service, 'USER', user.id);
}
