import { refuse } from '../../contract/outcome.ts';
import { type Actor, MANAGE } from '../../domain/access.ts';
import { connectionEvent, type ExperienceFacts } from '../../domain/events.ts';
import { instant, nextInstant } from '../../domain/instants.ts';
import { assignmentsOfConnection, numbersOfAccount, numbersOfExperience } from '../../store/assignments.ts';
import { deleteConnectionRow } from '../../store/connections.ts';
import type { Executor } from '../../store/engine.ts';
import { lockAccount } from '../../store/store.ts';
import { removeAssignments } from '../assignments/remove.ts';
import type { ServiceContext } from '../context.ts';
import { publish } from '../publish.ts';
import { findConnection } from './read.ts';

/** DELETE /experience/connections/{experienceConnectionId}, and the removal in the portal (States and transitions, rows 4 and 5). */
export function deleteConnection(context: ServiceContext, actor: Actor, id: string) {
  return context.store.write(async (tx) => {
    const seen = await findConnection(tx, actor, id);
    if (!seen) return notFound();
    if (seen.level < MANAGE) return refuse(403, 'connections.delete.read-only', 'The connection may only be read.');
    const { account_id: accountId, experience_id: experienceId } = seen.row;
    // Behind the lock another writer may just have changed it: the event has to come after that change.
    const found = (await lockAccount(tx, accountId)) ? await findConnection(tx, actor, id) : seen;
    if (!found) return notFound();
    const bound = actor.kind === 'provider' || (actor.kind === 'portal' && context.decisions['portal.delete-with-numbers'] === 'refused');
    if (bound && (await numbersRemain(tx, context, accountId, experienceId))) {
      return refuse(409, 'connections.delete.numbers-assigned', 'Telephone numbers are still assigned to the Experience.');
    }
    const connection = { id, accountId, updatedAt: found.row.updated_at, active: found.row.state === 'ACTIVE' };
    if (!(await removeConnection(tx, context, connection, found.experience))) return notFound();
    if (context.decisions['connections.delete.other-assignments'] === 'removed') {
      await removeAssignments(tx, context, await assignmentsOfConnection(tx, { accountId, experienceId }));
    }
    return { deleted: true as const };
  });
}

function notFound() {
  return refuse(404, 'connections.delete.not-found', 'There is no such connection.');
}

async function numbersRemain(tx: Executor, context: ServiceContext, accountId: string, experienceId: string): Promise<boolean> {
  const blocking =
    context.decisions['connections.delete.blocking-numbers'] === 'experience'
      ? await numbersOfExperience.first(tx, { experienceId })
      : await numbersOfAccount.first(tx, { accountId, experienceId });
  return blocking !== undefined;
}

interface DoomedConnection {
  readonly id: string;
  readonly accountId: string;
  readonly updatedAt: string;
  readonly active: boolean;
}

/** Removes a connection whatever hangs on it and publishes it. @returns whether it was still there. */
export async function removeConnection(tx: Executor, context: ServiceContext, connection: DoomedConnection, experience: ExperienceFacts) {
  if ((await deleteConnectionRow.change(tx, { id: connection.id })) === 0) return false;
  const now = context.clock.now();
  let { updatedAt } = connection;
  const happened = (what: 'deactivated' | 'deleted') => {
    updatedAt = nextInstant(now, updatedAt);
    return connectionEvent(what, { ...connection, updatedAt }, experience);
  };
  const deactivates = connection.active && context.decisions['events.connection.deleted.deactivated-first'] === 'yes';
  await publish(tx, context, deactivates ? [happened('deactivated'), happened('deleted')] : [happened('deleted')], instant(now));
  return true;
}
