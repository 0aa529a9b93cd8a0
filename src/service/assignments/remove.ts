import { because, type Evidence } from '../../contract/evidence.ts';
import { refuse } from '../../contract/outcome.ts';
import { type Actor, effectiveLevel, MANAGE, NONE } from '../../domain/access.ts';
import { assignmentEvent } from '../../domain/events.ts';
import { instant, nextInstant } from '../../domain/instants.ts';
import { assignmentAccess, assignmentToRemove, deleteAssignmentRow } from '../../store/assignments.ts';
import type { Executor } from '../../store/engine.ts';
import type { TargetType } from '../../store/schema.ts';
import type { ServiceContext } from '../context.ts';
import { unknown } from '../judged.ts';
import { publish } from '../publish.ts';
import { principalOf, providerOf } from '../target.ts';
import { unseen } from './read.ts';

/** DELETE /experience/assignments/{assignmentId}. */
export function deleteAssignment(context: ServiceContext, actor: Actor, id: string) {
  return context.store.write(async (tx) => {
    const row = await assignmentAccess.first(tx, { id, providerId: providerOf(actor), principalId: principalOf(actor) });
    const level = row ? effectiveLevel(actor, { experience: row.experience_level, account: row.account_level }) : NONE;
    if (!row || level === NONE) return gone(unseen(actor, row, id, 'manage'));
    if (level < MANAGE)
      return because(refuse(403, 'assignments.delete.read-only', 'The assignment may only be read.'), unseen(actor, row, id, 'manage'));
    // Another writer may have deleted the assignment, and even its Experience, since it was read above.
    const removed = await removeAssignments(tx, context, await assignmentToRemove(tx, { id }));
    return removed === 1 ? { deleted: true as const } : gone(unknown('assignment', id));
  });
}

function gone(evidence: Evidence) {
  return because(refuse(404, 'assignments.delete.not-found', 'There is no such assignment.'), evidence);
}

/** An assignment that is to go, with what its event says of the Experience. */
export interface DoomedAssignment {
  readonly id: string;
  readonly account_id: string;
  readonly experience_id: string;
  readonly target_type: TargetType;
  readonly target_value: string;
  readonly updated_at: string;
  readonly name: string;
  readonly provider_id: string;
}

/** Removes assignments and publishes each removal. @returns how many were still there: another writer may have been first. */
export async function removeAssignments(tx: Executor, context: ServiceContext, doomed: readonly DoomedAssignment[]): Promise<number> {
  let removed = 0;
  for (const row of doomed) {
    if ((await deleteAssignmentRow.change(tx, { id: row.id })) === 0) continue;
    removed++;
    const now = context.clock.now();
    const facts = {
      id: row.id,
      accountId: row.account_id,
      targetType: row.target_type,
      targetValue: row.target_value,
      updatedAt: nextInstant(now, row.updated_at),
    };
    const experience = { id: row.experience_id, name: row.name, providerId: row.provider_id };
    await publish(tx, context, [assignmentEvent('deleted', facts, experience)], instant(now));
  }
  return removed;
}
