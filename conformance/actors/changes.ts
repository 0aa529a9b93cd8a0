import type { EventType } from '../../src/contract/generated/events.ts';
import type { ConnectionKey } from '../expect/connection.ts';
import { connectionEvent } from '../expect/event.ts';
import { assignmentChanges, assignmentChangesElsewhere } from './assignment-changes.ts';
import type { Change } from './change-events.ts';
import { connectionChanges, connectionChangesElsewhere } from './connection-changes.ts';
import { type Connections, otherState, type State } from './connections.ts';
import { inParallel } from './in-parallel.ts';
import type { Inbox } from './inbox.ts';
import { canCreateUsers, operatorUsers } from './operator.ts';
import type { Participants } from './participants.ts';

/** Makes a change for each event type and each cause that the target allows. @param times how often the connection changes to each state */
export async function* everyChange(participants: Participants, times?: number): AsyncGenerator<Change> {
  yield* connectionChanges(participants, times);
  yield* assignmentChanges(participants);
  if (canCreateUsers(participants)) yield* userChanges(participants);
}

/** Makes the changes that are about exactly one Experience. */
export async function* changesOfOneExperience(participants: Participants): AsyncGenerator<Change> {
  yield* connectionChanges(participants);
  yield* assignmentChanges(participants);
  yield* userChangesOfOneExperience(participants);
}

/** Makes the changes that are about exactly one Experience and are not made through the API. */
export async function* changesElsewhere(participants: Participants): AsyncGenerator<Change> {
  const inbox = await participants.events.subscribed();
  yield* inParallel<Change>(
    ...connectionChangesElsewhere(participants, inbox),
    ...assignmentChangesElsewhere(participants, inbox),
    userChangesOfOneExperience(participants),
  );
}

export type UserChange = Change & { readonly user: { readonly id: string; readonly accountId: string } };

type UserParticipants = Pick<Participants, 'has' | 'events' | 'connections' | 'operator'>;

/** Creates and deletes a user in an account that is connected and assigned to an Experience. @param account absent: the second account */
export async function* userChanges(
  participants: UserParticipants,
  account: { readonly accountId?: string } = {},
): AsyncGenerator<UserChange> {
  const { events, connections } = participants;
  const users = await operatorUsers(participants);
  const connection = await connections.make({ ...account, state: 'ACTIVE' });
  const { accountId, experienceId } = connection;
  await connections.assign(connection, 'ACCOUNT', accountId);
  const inbox = await events.subscribed();
  const id = await users.create(accountId);
  const change = (type: EventType) => ({ inbox, type, user: { id, accountId }, experienceId, ids: [id, experienceId] });
  yield change('provisioning.user.created');
  await users.remove(id);
  yield change('provisioning.user.deleted');
}

/** Needs a new account, as any other account may belong to more Experiences. */
async function* userChangesOfOneExperience(participants: Participants): AsyncGenerator<UserChange> {
  if (!participants.has('platform.accounts') || !canCreateUsers(participants)) return;
  const accountId = await (await participants.operator('platform.accounts')).create();
  yield* userChanges(participants, { accountId });
}

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
  const data = { experienceId: key.experienceId, targetType: 'ACCOUNT' };
  await inbox.waitForEvent({ type: 'experience.assignment.created', data });
  return {
    ...key,
    async unassign() {
      await unassign();
      await connections.deleteConnection(key);
      await inbox.waitForEvent({ type: 'experience.assignment.deleted', data });
      await inbox.waitForEvent(connectionEvent('deleted', key.id));
      await inbox.settle();
    },
  };
}
