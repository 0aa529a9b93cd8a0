import { because, type Evidence } from '../../contract/evidence.ts';
import { type Json, refuse } from '../../contract/outcome.ts';
import { type Actor, effectiveLevel, NONE } from '../../domain/access.ts';
import { assignmentAccess } from '../../store/assignments.ts';
import type { ServiceContext } from '../context.ts';
import { tooLow, unknown } from '../judged.ts';
import { principalOf, providerOf } from '../target.ts';
import type { Assignment } from './entity.ts';

/** GET /experience/assignments/{assignmentId}. */
export async function readAssignment(context: ServiceContext, actor: Actor, id: string) {
  const row = await assignmentAccess.first(context.store.db, { id, providerId: providerOf(actor), principalId: principalOf(actor) });
  const level = row ? effectiveLevel(actor, { experience: row.experience_level, account: row.account_level }) : NONE;
  if (!row || level === NONE)
    return because(refuse(404, 'assignments.get.not-found', 'There is no such assignment.'), unseen(actor, row, id, 'read'));
  const body: Json<Assignment> = { json: row.json };
  return { body };
}

type AccessRow = NonNullable<Awaited<ReturnType<typeof assignmentAccess.first>>>;

/** What the levels on an assignment were where they did not do, or that there is none. */
export function unseen(actor: Actor, row: AccessRow | undefined, id: string, needed: 'read' | 'manage'): Evidence {
  if (!row) return unknown('assignment', id);
  const experience = { id: row.experience_id, level: row.experience_level };
  const account = { id: row.account_id, level: row.account_level };
  return tooLow(actor, needed, { experience, account }, { what: 'assignment', id });
}
