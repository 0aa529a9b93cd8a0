import { because, type Evidence } from '../../contract/evidence.ts';
import { refuse } from '../../contract/outcome.ts';
import { type Actor, MANAGE } from '../../domain/access.ts';
import { connectionEvent } from '../../domain/events.ts';
import { instant, nextInstant } from '../../domain/instants.ts';
import { updateConnectionState } from '../../store/connections.ts';
import type { ConnectionState } from '../../store/schema.ts';
import { lockAccount } from '../../store/store.ts';
import type { ServiceContext } from '../context.ts';
import { publish } from '../publish.ts';
import { connectionFrom } from './entity.ts';
import { findConnection, levelsTooLow } from './read.ts';

/** PUT /experience/connections/{experienceConnectionId}, and the same asked for in the portal (States and transitions, rows 1 to 3). */
export function updateConnection(context: ServiceContext, actor: Actor, id: string, state: ConnectionState) {
  return context.store.write(async (tx) => {
    const seen = await findConnection(tx, actor, id, 'manage');
    if ('unseen' in seen) return notFound(seen.unseen);
    if (seen.level < MANAGE) {
      const readOnly = refuse(403, 'connections.update.read-only', 'The connection may only be read.');
      return because(readOnly, levelsTooLow(actor, seen.row, 'manage'));
    }
    // Behind the lock another writer may just have changed or deleted it.
    const found = (await lockAccount(tx, seen.row.account_id)) ? await findConnection(tx, actor, id, 'manage') : seen;
    if ('unseen' in found) return notFound(found.unseen);
    if (found.row.state === state) {
      if (actor.kind === 'portal' && context.decisions['portal.same-state'] === 'no-op') return { connection: connectionFrom(found.row) };
      const present: Evidence = { cause: 'present state', connectionId: id, state, updatedAt: found.row.updated_at };
      return because(refuse(409, 'connections.update.same-state', `The connection is already ${state}.`), present);
    }
    const now = context.clock.now();
    const row = { ...found.row, state, updated_at: nextInstant(now, found.row.updated_at) };
    await updateConnectionState(tx, { id, state, updatedAt: row.updated_at });
    const connection = connectionFrom(row);
    const happened = state === 'ACTIVE' ? 'activated' : 'deactivated';
    await publish(tx, context, [connectionEvent(happened, connection, found.experience)], instant(now));
    return { connection };
  });
}

function notFound(evidence: Evidence) {
  return because(refuse(404, 'connections.update.not-found', 'There is no such connection.'), evidence);
}
