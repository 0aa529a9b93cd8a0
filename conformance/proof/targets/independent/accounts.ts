import { deleteAssignmentsOf } from './assignments.ts';
import { dropConnection } from './connections.ts';
import type { Service } from './service.ts';
import { deleteUser } from './users.ts';

export function deleteNumber(service: Service, number: string): void {
  service.numbers.delete(number);
  deleteAssignmentsOf(service, 'PHONE_NUMBER', number, service.breach === 'number-deletion-silent');
}

export function deleteAccount(service: Service, accountId: string): void {
  for (const user of [...service.users.values()]) {
    if (user.accountId === accountId) deleteUser(service, user);
  }
  for (const { number, accountId: owner } of [...service.numbers.values()]) {
    if (owner === accountId) deleteNumber(service, number);
  }
  deleteAssignmentsOf(service, 'ACCOUNT', accountId);
  for (const connection of [...service.connections.values()]) {
    if (connection.accountId === accountId) dropConnection(service, connection, service.breach === 'account-deletion-silent');
  }
  service.accounts.delete(accountId);
}
