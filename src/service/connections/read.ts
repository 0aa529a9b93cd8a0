import { refuse } from '../../contract/outcome.ts';
import { type Actor, effectiveLevel, NONE } from '../../domain/access.ts';
import { connectionAccess } from '../../store/connections.ts';
import type { Executor } from '../../store/engine.ts';
import type { ServiceContext } from '../context.ts';
import { principalOf, providerOf } from '../target.ts';
import { connectionFrom } from './entity.ts';

/** GET /experience/connections/{experienceConnectionId}. */
export async function readConnection(context: ServiceContext, actor: Actor, id: string) {
  const found = await findConnection(context.store.db, actor, id);
  return found ? { connection: connectionFrom(found.row) } : refuse(404, 'connections.get.not-found', 'There is no such connection.');
}

/** A connection that the actor may at least read, and how far it may go. */
export async function findConnection(db: Executor, actor: Actor, id: string) {
  const row = await connectionAccess.first(db, { id, providerId: providerOf(actor), principalId: principalOf(actor) });
  if (!row) return undefined;
  const level = effectiveLevel(actor, { experience: row.experience_level, account: row.account_level });
  const experience = { id: row.experience_id, name: row.experience_name, providerId: row.provider_id };
  return level === NONE ? undefined : { row, level, experience };
}
