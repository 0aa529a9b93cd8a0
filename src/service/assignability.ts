import { type Actor, getProviderId } from '../domain/access.ts';
import { decideAssignable, refuseAssignabilityCheck, type Target } from '../domain/assignments.ts';
import { assignmentsOfTarget } from '../store/assignments.ts';
import { experienceAccess } from '../store/experiences.ts';
import type { ServiceContext } from './context.ts';
import { findTarget } from './targets.ts';

export async function checkAssignability({ store, decisions }: ServiceContext, actor: Actor, experienceId: string, query: Target) {
  const { db } = store;
  const { targetType, targetValue } = query;
  const experience = await experienceAccess.first(db, { id: experienceId, providerId: getProviderId(actor) });
  const refusal = refuseAssignabilityCheck(actor, experienceId, experience);
  if (refusal) return refusal;
  const target = await findTarget(db, actor, query);
  const existing = target ? await assignmentsOfTarget(db, { targetType, targetValue }) : [];
  const { assignable, evidence } = decideAssignable(actor, query, { experience: experience!, target, existing }, decisions);
  return { body: { experienceId: experience!.experienceId, targetType, targetValue, assignable }, evidence };
}
