import { because, type Evidence } from '../../contract/evidence.ts';
import { refuse } from '../../contract/outcome.ts';
import { type Actor, MANAGE } from '../../domain/access.ts';
import { connectionEvent, type ExperienceFacts } from '../../domain/events.ts';
import { instant, nextInstant } from '../../domain/instants.ts';
import { assignmentsOfConnection, numbersOfAccount, numbersOfExperience } from '../../store/assignments.ts';
import { deleteConnectionRow } from '../../store/connections.ts';
import type { Executor } from '../../store/engine.ts';
import { lockAccount } from '../../store/store.ts';
import { assignedNumbers } from '../../store/unseen.ts';
import { removeAssignments } from '../assignments/remove.ts';
import type { ServiceContext } from '../context.ts';
import { unknown } from '../judged.ts';
import { publish } from '../publish.ts';
import { findConnection, levelsTooLow } from './read.ts';

/** DELETE /experience/connections/{experienceConnectionId}, and the removal in the portal (States and transitions, rows 4 and 5). */
export function deleteConnection(context: ServiceContext, actor: Actor, id: string) {
  return context.store.write(async (tx) => {
    const seen = await findConnection(tx, actor, id, 'manage');
    if ('unseen' in seen) return notFound(seen.unseen);
    if (seen.level < MANAGE) {
      const readOnly = refuse(403, 'connections.delete.read-only', 'The connection may only be read.');
      return because(readOnly, levelsTooLow(actor, seen.row, 'manage'));
    }
    const { account_id: accountId, experience_id: experienceId } = seen.row;
    // Behind the lock another writer may just have changed it: the event has to come after that change.
    const found = (await lockAccount(tx, accountId)) ? await findConnection(tx, actor, id, 'manage') : seen;
    if ('unseen' in found) return notFound(found.unseen);
    const bound = actor.kind === 'provider' || (actor.kind === 'portal' && context.decisions['portal.delete-with-numbers'] === 'refused');
    if (bound && (await numbersRemain(tx, context, accountId, experienceId))) {
      const remain = refuse(409, 'connections.delete.numbers-assigned', 'Telephone numbers are still assigned to the Experience.');
      return because(remain, await whatRemains(tx, context, id, accountId, experienceId));
    }
    const connection = { id, accountId, updatedAt: found.row.updated_at, active: found.row.state === 'ACTIVE' };
    if (!(await removeConnection(tx, context, connection, found.experience))) return notFound(unknown('connection', id));
    if (context.decisions['connections.delete.other-assignments'] === 'removed') {
      await removeAssignments(tx, context, await assignmentsOfConnection(tx, { accountId, experienceId }));
    }
    return { deleted: true as const };
  });
}

function notFound(evidence: Evidence) {
  return because(refuse(404, 'connections.delete.not-found', 'There is no such connection.'), evidence);
}

async function whatRemains(
  tx: Executor,
  { decisions }: ServiceContext,
  connectionId: string,
  accountId: string,
  experienceId: string,
): Promise<Evidence> {
  const ofAny = decisions['connections.delete.blocking-numbers'] === 'experience';
  const rows = await assignedNumbers(tx, experienceId, ofAny ? undefined : accountId);
  const assignments = rows.map((row) => ({ assignmentId: row.id, number: row.target_value }));
  return { cause: 'numbers assigned', connectionId, assignments };
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
