import type { ConnectionKey } from '../expect/connection.ts';
import { assignmentEvent, connectionEvent } from '../expect/event.ts';
import { type Connections, otherState, type State } from './connections.ts';
import type { Inbox } from './inbox.ts';

/**
 * Creates a connection, changes its state, and waits for the events. Some targets publish further events about the creation. These have an
 * earlier updatedAt than the change of the state, so a check can tell them apart however late they come.
 */
export async function deliveredConnection(inbox: Inbox, connections: Connections, state: State = 'ACTIVE'): Promise<ConnectionKey> {
  const key = await connections.make({ state: otherState(state) });
  await connections.setState(key, state);
  // If the target's clock has whole seconds, both updatedAt may be equal, so the event of the creation must also be awaited.
  await inbox.waitForEvent(connectionEvent('created', key.id));
  await inbox.waitForEvent(connectionEvent(state === 'ACTIVE' ? 'activated' : 'deactivated', key.id));
  return key;
}

export interface AssignedAccount extends ConnectionKey {
  /** Removes the assignment and the connection, and waits for the events of both deletions. */
  unassign(): Promise<void>;
}

/**
 * Assigns a new Experience to the account, with an ACTIVE connection and an ACCOUNT assignment, because "assigned" may mean either. The
 * target may consider both for user events only after a delay, which is over when their own events come. So each step waits for its event.
 * @throws Error if the target refuses, because the rule under test is then neither kept nor broken
 */
export async function assignAccount(connections: Connections, inbox: Inbox, accountId: string): Promise<AssignedAccount> {
  const key = await connections.make({ accountId, state: 'ACTIVE' });
  const unassign = await connections.assign(key, 'ACCOUNT', accountId);
  // No other assignment contains this Experience, so its id identifies the event.
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
