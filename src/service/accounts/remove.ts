import { deleteAccountRow, deleteNumberRow, deleteNumbersOfAccount } from '../../store/accounts.ts';
import { assignmentsOfAccount, assignmentsToTarget } from '../../store/assignments.ts';
import { connectionsOfAccount } from '../../store/connections.ts';
import type { Executor } from '../../store/engine.ts';
import { usersOfAccount } from '../../store/users.ts';
import { removeAssignments } from '../assignments/remove.ts';
import { removeConnection } from '../connections/remove.ts';
import type { ServiceContext } from '../context.ts';
import { deleteUser } from '../users/write.ts';

/**
 * The platform deletes an account: its users, assignments, connections and numbers go with it, each with its event (Events › Event types).
 * Users go first, while the ACCOUNT assignment that their events depend on is still there.
 */
export async function deleteAccount(tx: Executor, context: ServiceContext, accountId: string): Promise<void> {
  const silent = context.decisions['provisioning.account-deleted'] === 'not-sent';
  for (const user of await usersOfAccount(tx, { accountId })) {
    await deleteUser(tx, context, { id: user.id, accountId, createdAt: user.created_at, updatedAt: user.updated_at }, silent);
  }
  await removeAssignments(tx, context, await assignmentsOfAccount(tx, { accountId }));
  for (const row of await connectionsOfAccount(tx, { accountId })) {
    const experience = { id: row.experience_id, name: row.name, providerId: row.provider_id };
    await removeConnection(tx, context, { id: row.id, accountId, updatedAt: row.updated_at, active: row.state === 'ACTIVE' }, experience);
  }
  await deleteNumbersOfAccount(tx, { accountId });
  await deleteAccountRow(tx, { id: accountId });
}

/** The platform deletes a telephone number, and what is assigned to it. */
export async function deleteNumber(tx: Executor, context: ServiceContext, number: string): Promise<void> {
  await removeAssignments(tx, context, await assignmentsToTarget(tx, { targetType: 'PHONE_NUMBER', targetValue: number }));
  await deleteNumberRow(tx, { number });
}
