import type { EventType } from '../../src/contract/generated/events.ts';
import { become } from './become.ts';
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

/** A connection is created, becomes ACTIVE and INACTIVE or the other way round, and is deleted. @param times how often it becomes either */
export async function* connectionChanges(
  { events, connections }: Pick<Parts, 'events' | 'connections'>,
  times = 1,
): AsyncGenerator<ConnectionChange> {
  const inbox = await events.subscribed();
  const connection = await connections.make();
  const { id, experienceId } = connection;
  const change = (type: EventType) => ({ inbox, type, connection, experienceId, ids: [id, experienceId] });
  yield change('experience.connection.created');
  const first = otherState(await connections.stateOf(connection));
  for (const state of Array.from({ length: times }, () => [first, otherState(first)]).flat()) {
    await become(connections, connection, state);
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
    const { id, experienceId, targetValue } = assignment;
    const change = (type: EventType) => ({ inbox, type, assignment, experienceId, ids: [id, targetValue] });
    yield change('experience.assignment.created');
    const call = { token: await need('token'), path: { assignmentId: id } };
    granted('an assignment that is deleted', await api.call('deleteExperienceAssignment', call));
    yield change('experience.assignment.deleted');
  }
}

export const EVERY_TARGET_TYPE: readonly TargetType[] = ['ACCOUNT', 'PHONE_NUMBER', 'USER'];

/** A user is created and deleted, in an account that is connected and assigned to an Experience. @param account unless it is the second one */
export async function* userChanges(
  { has, events, connections, elsewhere }: Pick<Parts, 'has' | 'events' | 'connections' | 'elsewhere'>,
  account: { readonly accountId?: string } = {},
): AsyncGenerator<UserChange> {
  const users = await elsewhere(has('portal.users') && !has('platform.users') ? 'portal.users' : 'platform.users');
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

/**
 * A change for each type of event; those of users only where the target gives somebody who makes them.
 * @param times how often the connection becomes ACTIVE, and INACTIVE
 */
export async function* everyChange(parts: Parts, times?: number): AsyncGenerator<Change> {
  yield* connectionChanges(parts, times);
  yield* assignmentChanges(parts);
  if (haveUsers(parts)) yield* userChanges(parts);
}

/**
 * A change for each type of event of which one Experience alone is told: those of users only where the platform gives an account of its own for them, as
 * any other account may belong to more.
 */
export async function* changesOfOneExperience(parts: Parts): AsyncGenerator<Change> {
  yield* connectionChanges(parts);
  yield* assignmentChanges(parts);
  if (!parts.has('platform.accounts') || !haveUsers(parts)) return;
  const accountId = await (await parts.elsewhere('platform.accounts')).create();
  yield* userChanges(parts, { accountId });
}

/** Whether the target gives somebody who makes users. */
export function haveUsers({ has }: Pick<Parts, 'has'>): boolean {
  return has('platform.users') || has('portal.users');
}
