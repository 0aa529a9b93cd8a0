import type { Actor } from '../domain/access.ts';
import { deleteAccountRow, deleteNumberRow, deleteNumbersOfAccount } from '../store/accounts.ts';
import { assignmentsOfAccount, assignmentsToTarget } from '../store/assignments.ts';
import { connectionsOfAccount } from '../store/connections.ts';
import type { Executor } from '../store/engine.ts';
import { usersOfAccount } from '../store/users.ts';
import { removeAssignments } from './assignments.ts';
import { removeConnection } from './connection-changes.ts';
import type { ServiceContext } from './context.ts';
import { deleteUser } from './users.ts';

/**
 * Deletes an account and all that belongs to it (Events › Event types). Deletes users first, because events about users go to the
 * Experiences in the account's assignments.
 */
export async function deleteAccount(tx: Executor, context: ServiceContext, actor: Actor, accountId: string): Promise<void> {
  const isAnnounced = context.decisions['provisioning.account-deleted'] !== 'not-sent';
  for (const user of await usersOfAccount(tx, { accountId })) await deleteUser(tx, context, actor, user, { isAnnounced });
  await removeAssignments(tx, context, actor, await assignmentsOfAccount(tx, { accountId }));
  for (const connection of await connectionsOfAccount(tx, { accountId })) await removeConnection(tx, context, actor, connection);
  await deleteNumbersOfAccount(tx, { accountId });
  await deleteAccountRow(tx, { id: accountId });
}

export async function deleteNumber(tx: Executor, context: ServiceContext, actor: Actor, number: string): Promise<void> {
  await removeAssignments(tx, context, actor, await assignmentsToTarget(tx, { targetType: 'PHONE_NUMBER', targetValue: number }));
  await deleteNumberRow(tx, { number });
}
