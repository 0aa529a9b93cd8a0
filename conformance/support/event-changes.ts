import type { EventType } from '../../src/contract/generated/events.ts';
import type { Capability } from './capabilities.ts';
import type { Client } from './client.ts';
import type { ConnectionKey } from './connections.ts';
import type { Events } from './events-test.ts';
import type { Assignment, Assignments, TargetType } from './make-assignment.ts';
import { type Connections, otherState } from './make-connection.ts';
import type { Need } from './need.ts';
import { granted } from './observed.ts';
import type { Others } from './others.ts';
import type { Change } from './told.ts';

// Each makes its changes one after the other: the next one once the check has done with the one before, so that what is wrong shows early.

interface Parts {
  readonly api: Client;
  readonly need: Need;
  readonly has: (capability: Capability) => boolean;
  readonly events: Events;
  readonly elsewhere: Others;
  readonly connections: Connections;
  readonly assignments: Assignments;
}

export type ConnectionChange = Change & { readonly connection: ConnectionKey };
export type AssignmentChange = Change & { readonly assignment: Assignment };
export type UserChange = Change & { readonly user: { readonly id: string; readonly accountId: string } };

/** A connection is created, becomes ACTIVE and INACTIVE or the other way round, and is deleted. */
export async function* connectionChanges({ events, connections }: Pick<Parts, 'events' | 'connections'>): AsyncGenerator<ConnectionChange> {
  const inbox = await events.subscribed();
  const connection = await connections.make();
  const change = (type: EventType) => ({ inbox, type, connection, ids: [connection.id, connection.experienceId] });
  yield change('experience.connection.created');
  const first = otherState(await connections.stateOf(connection));
  for (const state of [first, otherState(first)]) {
    granted(`a connection that becomes ${state}`, await connections.update(connection, state));
    yield change(state === 'ACTIVE' ? 'experience.connection.activated' : 'experience.connection.deactivated');
  }
  granted('a connection that is deleted', await connections.remove(connection));
  yield change('experience.connection.deleted');
}

/** An assignment to each of the targets is created and deleted. An account has to come first: other assignments in it name it, too. */
export async function* assignmentChanges(
  { api, need, events, assignments }: Pick<Parts, 'api' | 'need' | 'events' | 'assignments'>,
  targetTypes: readonly TargetType[] = ['PHONE_NUMBER'],
): AsyncGenerator<AssignmentChange> {
  const inbox = await events.subscribed();
  for (const targetType of targetTypes) {
    const assignment = await assignments.make({ targetType });
    const change = (type: EventType) => ({ inbox, type, assignment, ids: [assignment.id, assignment.targetValue] });
    yield change('experience.assignment.created');
    const path = { assignmentId: assignment.id };
    granted('an assignment that is deleted', await api.call('deleteExperienceAssignment', { token: await need('token'), path }));
    yield change('experience.assignment.deleted');
  }
}

export const EVERY_TARGET_TYPE: readonly TargetType[] = ['ACCOUNT', 'PHONE_NUMBER', 'USER'];

/** A user is created and deleted, in an account that is connected and assigned to an Experience. @param accountId unless it is the second account */
export async function* userChanges(
  { has, events, connections, elsewhere }: Pick<Parts, 'has' | 'events' | 'connections' | 'elsewhere'>,
  account: { readonly accountId?: string } = {},
): AsyncGenerator<UserChange> {
  const users = await elsewhere(has('platform.users') ? 'platform.users' : 'portal.users');
  const connection = await connections.make({ ...account, state: 'ACTIVE' });
  const { accountId, experienceId } = connection;
  await connections.assign(connection, 'ACCOUNT', accountId);
  const inbox = await events.subscribed();
  const id = await users.create(accountId);
  const change = (type: EventType) => ({ inbox, type, user: { id, accountId }, ids: [id, experienceId] });
  yield change('provisioning.user.created');
  await users.remove(id);
  yield change('provisioning.user.deleted');
}

/** A change for each type of event; those of users only where the target gives somebody who makes them. */
export async function* everyChange(parts: Parts): AsyncGenerator<Change> {
  yield* connectionChanges(parts);
  yield* assignmentChanges(parts);
  if (parts.has('platform.users') || parts.has('portal.users')) yield* userChanges(parts);
}
