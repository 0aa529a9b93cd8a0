import type { ConnectionKey } from '../expect/connection.ts';
import { matchAssignmentEvent, matchConnectionEvent } from '../expect/event.ts';
import { type Connections, type State, toggleState } from './connections.ts';
import type { Inbox } from './inbox.ts';

/** Creates a connection, changes its state once, and waits for both events. */
export async function createDeliveredConnection(inbox: Inbox, connections: Connections, state: State = 'ACTIVE'): Promise<ConnectionKey> {
  const key = await connections.createOrThrow({ state: toggleState(state) });
  // This change makes updatedAt newer, so that collectNewEvents ignores a creation event that arrives late.
  await connections.setState(key, state);
  // Wait for both events, because a clock that counts whole seconds gives them the same updatedAt.
  await inbox.waitForEvent(matchConnectionEvent('created', key.id));
  await inbox.waitForEvent(matchConnectionEvent(state === 'ACTIVE' ? 'activated' : 'deactivated', key.id));
  return key;
}

/**
 * Connects an Experience to the account and also assigns it, because the specification does not define when an account is "assigned".
 * @throws Error if the target refuses a step
 */
export async function assignAccount(connections: Connections, inbox: Inbox, accountId: string): Promise<ConnectionKey> {
  const key = await connections.createOrThrow({ accountId, state: 'ACTIVE' });
  await connections.assign(key, 'ACCOUNT', accountId);
  // The Experience id identifies the event, because this Experience has no other assignment.
  await inbox.waitForEvent(matchAssignmentEvent('created', key.experienceId));
  return key;
}
