import { because, type Evidence } from '../../contract/evidence.ts';
import { refuse } from '../../contract/outcome.ts';
import { type Actor, effectiveLevel, NONE } from '../../domain/access.ts';
import { connectionAccess } from '../../store/connections.ts';
import type { Executor } from '../../store/engine.ts';
import type { ServiceContext } from '../context.ts';
import { tooLow, unknown } from '../judged.ts';
import { principalOf, providerOf } from '../target.ts';
import { connectionFrom } from './entity.ts';

/** GET /experience/connections/{experienceConnectionId}. */
export async function readConnection(context: ServiceContext, actor: Actor, id: string) {
  const found = await findConnection(context.store.db, actor, id);
  if ('unseen' in found) return because(refuse(404, 'connections.get.not-found', 'There is no such connection.'), found.unseen);
  return { connection: connectionFrom(found.row) };
}

/** A connection that the actor may at least read and how far it may go, or why it sees none. */
export async function findConnection(db: Executor, actor: Actor, id: string, needed: 'read' | 'manage' = 'read') {
  const row = await connectionAccess.first(db, { id, providerId: providerOf(actor), principalId: principalOf(actor) });
  if (!row) return { unseen: unknown('connection', id) };
  const level = effectiveLevel(actor, { experience: row.experience_level, account: row.account_level });
  const experience = { id: row.experience_id, name: row.experience_name, providerId: row.provider_id };
  return level === NONE ? { unseen: levelsTooLow(actor, row, needed) } : { row, level, experience };
}

type AccessRow = NonNullable<Awaited<ReturnType<typeof connectionAccess.first>>>;

/** What the levels on a connection were, where they did not do. */
export function levelsTooLow(actor: Actor, row: AccessRow, needed: 'read' | 'manage'): Evidence {
  const experience = { id: row.experience_id, level: row.experience_level };
  const account = { id: row.account_id, level: row.account_level };
  return tooLow(actor, needed, { experience, account }, { what: 'connection', id: row.id });
}
