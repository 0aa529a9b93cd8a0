import type { ConnectionKey } from '../expect/connections.ts';
import { hears } from '../expect/hears.ts';
import { ofConnection } from '../expect/wanted.ts';
import { become } from './become.ts';
import type { Inbox } from './inbox.ts';
import { type Connections, otherState, type State } from './make-connection.ts';

/**
 * A connection that became ACTIVE, or INACTIVE, as was heard: what else was told of it until then, as not every target does when one is created, is known by
 * its earlier updatedAt, however late it comes.
 */
export async function heardConnection(inbox: Inbox, connections: Connections, state: State = 'ACTIVE'): Promise<ConnectionKey> {
  const made = await connections.make({ state: otherState(state) });
  await become(connections, made, state);
  // By a clock of whole seconds its creation is no earlier.
  await hears(inbox, ofConnection('created', made.id));
  await hears(inbox, ofConnection(state === 'ACTIVE' ? 'activated' : 'deactivated', made.id));
  return made;
}
