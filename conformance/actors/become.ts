import { must, unlessBroken } from '../expect/broken.ts';
import type { ConnectionKey } from '../expect/connections.ts';
import { eventually, settlingOf } from '../expect/eventually.ts';
import { granted } from '../expect/observed.ts';
import { notTestable } from '../target/not-testable.ts';
import type { Connections, State } from './make-connection.ts';

// What is done on the way to what is checked. Where it fails the check ends as not testable: it says nothing about the rule at hand.

/** Brings a connection into a state through the API. */
export async function become(connections: Connections, key: ConnectionKey, state: State): Promise<void> {
  const answer = granted(`a connection that becomes ${state}`, await connections.update(key, state));
  await shows(settlingOf(answer), `a connection that becomes ${state}`, async () => (await connections.stateOf(key)) === state);
}

/** Deletes a connection through the API. */
export async function go(connections: Connections, key: ConnectionKey): Promise<void> {
  const answer = granted('a connection that is deleted', await connections.remove(key));
  await shows(settlingOf(answer), 'a connection that goes', async () => (await connections.read(key)).status === 404);
}

async function shows(boundMs: number, what: string, look: () => Promise<boolean>): Promise<void> {
  await eventually(boundMs, async () => must(await look(), what)).catch(unlessBroken(() => notTestable(`${what}, which does not show`)));
}
