import { type Json, refuse } from '../../contract/outcome.ts';
import { type Actor, effectiveLevel, NONE } from '../../domain/access.ts';
import { assignmentAccess } from '../../store/assignments.ts';
import type { ServiceContext } from '../context.ts';
import { principalOf, providerOf } from '../target.ts';
import type { Assignment } from './entity.ts';

/** GET /experience/assignments/{assignmentId}. */
export async function readAssignment(context: ServiceContext, actor: Actor, id: string) {
  const row = await assignmentAccess.first(context.store.db, { id, providerId: providerOf(actor), principalId: principalOf(actor) });
  const level = row ? effectiveLevel(actor, { experience: row.experience_level, account: row.account_level }) : NONE;
  if (!row || level === NONE) return refuse(404, 'assignments.get.not-found', 'There is no such assignment.');
  const body: Json<Assignment> = { json: row.json };
  return { body };
}
