import { must } from './broken.ts';
import type { ConnectionKey } from './connections.ts';
import { eventually, settlingOf } from './eventually.ts';
import type { Connections, State } from './make-connection.ts';
import { needed } from './needed.ts';

/** Brings a connection into a state through the API, on the way to what is checked. @throws Error where that fails: it says nothing about the rule at hand. */
export async function become(connections: Connections, key: ConnectionKey, state: State): Promise<void> {
  const answer = needed(`the state ${state}`, await connections.update(key, state));
  await settled(
    eventually(settlingOf(answer), async () => must((await connections.stateOf(key)) === state, `the connection becomes ${state}`)),
  );
}

/** Deletes a connection through the API, on the way to what is checked. @throws Error where that fails: it says nothing about the rule at hand. */
export async function go(connections: Connections, key: ConnectionKey): Promise<void> {
  const answer = needed('to delete a connection', await connections.remove(key));
  await settled(eventually(settlingOf(answer), async () => must((await connections.read(key)).status === 404, 'the connection goes')));
}

/** What is broken on the way is not the rule at hand. */
function settled(waiting: Promise<void>): Promise<void> {
  return waiting.catch((error: Error) => Promise.reject(new Error(error.message)));
}
