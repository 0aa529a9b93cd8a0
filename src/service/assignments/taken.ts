import type { Evidence } from '../../contract/evidence.ts';
import type { Executor } from '../../store/engine.ts';
import type { TargetType } from '../../store/schema.ts';
import { assignmentsOnTarget } from '../../store/unseen.ts';

interface Target {
  readonly targetType: TargetType;
  readonly targetValue: string;
}

/** What already hangs on a target: the assignment to the same Experience, or else those of AGENT Experiences. Asked for where a request is refused for it. */
export async function takenBy(db: Executor, experienceId: string, { targetType, targetValue }: Target): Promise<Evidence> {
  const rows = await assignmentsOnTarget(db, targetType, targetValue);
  const same = rows.find((row) => row.experience_id === experienceId);
  if (same) return { cause: 'already assigned', assignmentId: same.id, experienceId };
  const agents = rows.filter((row) => row.agent_number !== null);
  return { cause: 'AGENT assignment', assignments: agents.map((row) => ({ assignmentId: row.id, experienceId: row.experience_id })) };
}
