import { refuse } from '../contract/outcome.ts';
import { type Actor, experienceLevel, MANAGE, NONE, READ } from '../domain/access.ts';
import { type ExperienceAccess, experienceAccess } from '../store/access.ts';
import { assignmentsOfTarget } from '../store/assignments.ts';
import type { TargetType } from '../store/schema.ts';
import type { ServiceContext } from './context.ts';
import { findTarget, providerOf } from './target.ts';

export interface AssignabilityQuery {
  readonly targetType: TargetType;
  readonly targetValue: string;
}

/** GET /experience/experiences/{experienceId}/assignability. */
export async function checkAssignability(context: ServiceContext, actor: Actor, experienceId: string, query: AssignabilityQuery) {
  const experience = await experienceAccess.first(context.store.db, { id: experienceId, providerId: providerOf(actor) });
  const level = experience ? experienceLevel(actor, experience.level) : NONE;
  if (!experience || level === NONE) return refuse(404, 'assignability.not-found', 'There is no such Experience.');
  if (level === READ) return refuse(403, 'assignability.read-only', 'The Experience may be read, but not its assignability checked.');
  const { targetType, targetValue } = query;
  return {
    body: { experienceId: experience.id, targetType, targetValue, assignable: await isAssignable(context, actor, experience, query) },
  };
}

async function isAssignable(
  context: ServiceContext,
  actor: Actor,
  experience: ExperienceAccess,
  { targetType, targetValue }: AssignabilityQuery,
) {
  const { decisions, store } = context;
  const target = await findTarget(store.db, actor, targetType, targetValue);
  if (!target) return false;
  if (target.level < MANAGE) return decisions['assignability.hidden-target'];
  const taken = await assignmentsOfTarget(store.db, { targetType, targetValue });
  if (taken.some((row) => row.experience_id === experience.id)) return decisions['assignability.already-assigned'];
  const conflict = experience.type === 'AGENT' && taken.some((row) => row.agent_number !== null);
  return conflict ? decisions['assignability.agent-conflict'] : true;
}
