import { deleteAccountRow, deleteNumberRow, deleteNumbersOfAccount } from '../store/accounts.ts';
import { assignmentsOfAccount, assignmentsToTarget } from '../store/assignments.ts';
import { connectionsOfAccount } from '../store/connections.ts';
import { usersOfAccount } from '../store/users.ts';
import { removeAssignments } from './assignments.ts';
import { removeConnection } from './connections.ts';
import type { WriteScope } from './context.ts';
import { deleteUser } from './users.ts';

/**
 * Deletes an account and all that belongs to it (Events › Event types). Deletes users first, because events about users go to the
 * Experiences in the account's assignments.
 */
export async function deleteAccount(scope: WriteScope, accountId: string): Promise<void> {
  const { tx, context } = scope;
  const isAnnounced = context.decisions['provisioning.account-deleted'] !== 'not-sent';
  for (const user of await usersOfAccount(tx, { accountId })) await deleteUser(scope, user, { isAnnounced });
  await removeAssignments(scope, await assignmentsOfAccount(tx, { accountId }));
  for (const connection of await connectionsOfAccount(tx, { accountId })) await removeConnection(scope, connection);
  await deleteNumbersOfAccount(tx, { accountId });
  await deleteAccountRow(tx, { id: accountId });
}

export async function deleteNumber(scope: WriteScope, number: string): Promise<void> {
  const { tx } = scope;
  await removeAssignments(scope, await assignmentsToTarget(tx, { targetType: 'PHONE_NUMBER', targetValue: number }));
  await deleteNumberRow(tx, { number });
}
