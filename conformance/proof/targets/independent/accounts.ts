import { randomInt, randomUUID } from 'node:crypto';
import { deleteAssignmentsOf } from './assignments.ts';
import { dropConnection } from './connections.ts';
import { type Experience, findItem, type Service } from './service.ts';
import { deleteUser } from './users.ts';

export function createAccount({ accounts }: Service): string {
  const id = randomUUID();
  accounts.set(id, { id, name: `Account ${id.slice(0, 4)}` });
  return id;
}

export function createExperience({ experiences }: Service, type: 'AGENT' | 'GENERAL', providerId = 'pr/1'): Experience {
  const id = randomUUID();
  const experience = { id, name: `Experience ${id.slice(0, 4)}`, type, providerId };
  experiences.set(id, experience);
  return experience;
}

export function createNumber({ numbers }: Service, accountId: string): string {
  const number = `+4670${randomInt(1e8, 1e9)}`;
  numbers.set(number, { number, accountId });
  return number;
}

export function deleteNumber(service: Service, number: string): void {
  service.numbers.delete(findItem(service.numbers, number).number);
  deleteAssignmentsOf(service, 'PHONE_NUMBER', number);
}

export function deleteAccount(service: Service, id: string): void {
  const { users, numbers, connections, accounts } = service;
  const isOwned = ({ accountId }: { accountId: string }) => accountId === id;
  for (const user of [...users.values()].filter(isOwned)) deleteUser(service, user);
  for (const { number } of [...numbers.values()].filter(isOwned)) deleteNumber(service, number);
  deleteAssignmentsOf(service, 'ACCOUNT', id);
  for (const connection of [...connections.values()].filter(isOwned)) dropConnection(service, connection);
  accounts.delete(findItem(accounts, id).id);
}
