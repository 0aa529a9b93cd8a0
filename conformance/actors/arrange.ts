import type { ConnectionKey } from '../expect/connection.ts';
import { assignmentEvent, connectionEvent } from '../expect/event.ts';
import { type Connections, otherState, type State } from './connections.ts';
import type { Inbox } from './inbox.ts';

/**
 * Creates a connection whose last change, to the state, was delivered. Some targets publish more when a connection is created; such an event has an
 * earlier updatedAt, however late it comes.
 */
export async function deliveredConnection(inbox: Inbox, connections: Connections, state: State = 'ACTIVE'): Promise<ConnectionKey> {
  const key = await connections.make({ state: otherState(state) });
  await connections.setState(key, state);
  // By a clock of whole seconds the creation may have the same updatedAt.
  await inbox.waitForEvent(connectionEvent('created', key.id));
  await inbox.waitForEvent(connectionEvent(state === 'ACTIVE' ? 'activated' : 'deactivated', key.id));
  return key;
}

export interface AssignedAccount extends ConnectionKey {
  /** Removes the assignment and the connection, and waits for the events. */
  unassign(): Promise<void>;
}

/**
 * Assigns an Experience of its own to the account, under either meaning of "assigned": an ACTIVE connection and an ACCOUNT assignment. The part of the
 * target that publishes users may learn of it late, but not later than a subscriber does, so each step waits for its event.
 * @throws Error if the target refuses: that says nothing about the rule at hand
 */
export async function assignAccount(connections: Connections, inbox: Inbox, accountId: string): Promise<AssignedAccount> {
  const key = await connections.make({ accountId, state: 'ACTIVE' });
  const unassign = await connections.assign(key, 'ACCOUNT', accountId);
  // The Experience is its own.
  await inbox.waitForEvent(assignmentEvent('created', key.experienceId));
  return {
    ...key,
    async unassign() {
      await unassign();
      await connections.deleteConnection(key);
      await inbox.waitForEvent(assignmentEvent('deleted', key.experienceId));
      await inbox.waitForEvent(connectionEvent('deleted', key.id));
      await inbox.settle();
    },
  };
}
