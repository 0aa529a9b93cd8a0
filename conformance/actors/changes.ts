import type { RuleId } from '../../src/contract/generated/rules.ts';
import type { ConnectionKey } from '../expect/connection.ts';
import { requireSuccess } from '../expect/response.ts';
import type { NewAssignment, TargetType } from '../target/capabilities.ts';
import { assignAccount } from './arrange.ts';
import type { Assignment } from './assignments.ts';
import type { Change } from './change-events.ts';
import { otherState } from './connections.ts';
import { inParallel } from './in-parallel.ts';
import type { Inbox } from './inbox.ts';
import { canCreateUsers, operatorUsers, USER_RULES } from './operator.ts';
import type { Participants } from './participants.ts';

type Changes = AsyncGenerator<Change>;
type TargetTypes = readonly TargetType[];

const NUMBER: TargetTypes = ['PHONE_NUMBER'];
const EVENT = { ACTIVE: 'activated', INACTIVE: 'deactivated' } as const;

/**
 * Makes every kind of change that publishes an event and that the target allows.
 * @param times the number of times that the connection changes to each state
 */
export async function* everyChange(participants: Participants, times?: number): Changes {
  yield* connectionChanges(participants, times);
  yield* assignmentChanges(participants);
  if (canCreateUsers(participants)) yield* userChanges(participants);
}

/** Makes every kind of change whose event is about exactly one Experience. */
export async function* changesOfOneExperience(participants: Participants): Changes {
  yield* connectionChanges(participants);
  yield* assignmentChanges(participants);
  yield* userChangesOfOneExperience(participants);
}

/** Makes every kind of change outside the API whose event is about exactly one Experience. */
export async function* changesElsewhere(participants: Participants): Changes {
  const inbox = await participants.events.subscribed();
  yield* inParallel(
    ...connectionChangesElsewhere(participants, inbox),
    ...assignmentChangesElsewhere(participants, inbox, NUMBER),
    userChangesOfOneExperience(participants),
  );
}

/**
 * Creates a connection, changes its state to both values, and deletes it. Does so through the API, and if the target allows it, in a portal
 * and on the platform.
 * @param times the number of times that the state changes to each value through the API
 */
export async function* connectionChanges(participants: Participants, times = 1): Changes {
  const inbox = await participants.events.subscribed();
  yield* connectionThroughApi(participants, inbox, await participants.connections.make(), times);
  yield* inParallel(...connectionChangesElsewhere(participants, inbox));
}

function connectionChangesElsewhere(participants: Participants, inbox: Inbox): readonly Changes[] {
  const places = (['portal.connections', 'platform.connections'] as const).filter(participants.has);
  const rows = places.map((place) => connectionAt(place, participants, inbox));
  return participants.has('platform.accounts') ? [...rows, connectionOfDeletedAccount(participants, inbox)] : rows;
}

async function* connectionThroughApi({ connections }: Participants, inbox: Inbox, key: ConnectionKey, times = 1): Changes {
  const change = connectionChange(inbox, key);
  yield change('created');
  const first = otherState(await connections.stateOf(key));
  for (const state of Array.from({ length: times }, () => [first, otherState(first)]).flat()) {
    await connections.setState(key, state);
    yield change(EVENT[state]);
  }
  requireSuccess('a connection that is deleted', await connections.remove(key));
  yield change('deleted');
}

async function* connectionAt(
  place: 'portal.connections' | 'platform.connections',
  { operator, connections }: Participants,
  inbox: Inbox,
): Changes {
  const isPortal = place === 'portal.connections';
  const [actions, pair] = [await operator(place), await connections.pair()];
  const id = await actions.create(pair);
  const change = connectionChange(inbox, { id, ...pair });
  yield change('created', `events.connection.created.${isPortal ? 'on-portal-create' : 'on-platform-create'}`);
  const first = otherState(await connections.stateOf({ id }));
  for (const state of [first, otherState(first)]) {
    await actions.update(id, state);
    yield change(EVENT[state], `events.connection.${EVENT[state]}.${isPortal ? 'on-portal-action' : 'on-platform-change'}`);
  }
  await actions.remove(id);
  yield change('deleted', `events.connection.deleted.${isPortal ? 'on-portal-removal' : 'on-platform-removal'}`);
}

async function* connectionOfDeletedAccount({ operator, connections }: Participants, inbox: Inbox): Changes {
  const accounts = await operator('platform.accounts');
  const accountId = await accounts.create();
  const change = connectionChange(inbox, await connections.make({ accountId }), accountId);
  yield change('created');
  await accounts.remove(accountId);
  yield change('deleted', 'events.connection.deleted.on-account-deletion');
}

/** @param otherId an account or Experience that identifies the connection, because no other connection of the check has it */
function connectionChange(inbox: Inbox, { id, accountId, experienceId }: ConnectionKey, otherId = experienceId) {
  const data = { connectionId: id, experienceId, accountId };
  const ids = [id, otherId] as const;
  return (what: 'created' | 'activated' | 'deactivated' | 'deleted', rule?: RuleId): Change => {
    const type = `experience.connection.${what}` as const;
    return { inbox, type, experienceId, ids, data, ...(rule && { rule }) };
  };
}

/**
 * Creates and deletes an assignment of each type. Does so through the API, and if the target allows it, in a portal and on the platform.
 */
export async function* assignmentChanges(participants: Participants, targetTypes = NUMBER): Changes {
  const inbox = await participants.events.subscribed();
  for (const targetType of targetTypes) yield* assignmentThroughApi(participants, inbox, await newBody(participants, targetType));
  yield* inParallel(...assignmentChangesElsewhere(participants, inbox, targetTypes));
}

function assignmentChangesElsewhere(participants: Participants, inbox: Inbox, targetTypes: TargetTypes): readonly Changes[] {
  const places = (['portal.assignments', 'platform.assignments'] as const).filter(participants.has);
  return [
    ...places.map((place) => assignmentsAt(place, participants, inbox, targetTypes)),
    ...(participants.has('platform.accounts') ? [assignmentOfDeletedAccount(participants, inbox)] : []),
    ...(canCreateUsers(participants) ? [assignmentOfDeletedTarget(participants, inbox, 'USER')] : []),
    ...(participants.has('platform.numbers') ? [assignmentOfDeletedTarget(participants, inbox, 'PHONE_NUMBER')] : []),
  ];
}

async function* assignmentThroughApi({ assignments }: Participants, inbox: Inbox, body: NewAssignment): Changes {
  const assignment = await assignments.make(body);
  const change = assignmentChange(inbox, assignment);
  yield change('created');
  requireSuccess('an assignment that is deleted', await assignments.remove(assignment.id));
  yield change('deleted');
}

async function* assignmentsAt(
  place: 'portal.assignments' | 'platform.assignments',
  participants: Participants,
  inbox: Inbox,
  targetTypes: TargetTypes,
): Changes {
  const by = place === 'portal.assignments' ? 'on-portal' : 'on-platform';
  const [actions, accountId] = [await participants.operator(place), await participants.need('account')];
  for (const targetType of targetTypes) {
    const body = await newBody(participants, targetType);
    const id = await actions.create(body);
    const change = assignmentChange(inbox, { id, accountId, ...body });
    yield change('created', `events.assignment.created.${by}-create`);
    await actions.remove(id);
    yield change('deleted', `events.assignment.deleted.${by}-removal`);
  }
}

/**
 * Makes the body of a new assignment. For an ACCOUNT target, creates a new Experience, because the main account may already be assigned to
 * the others.
 */
async function newBody({ need, connections, assignments }: Participants, targetType: TargetType): Promise<NewAssignment> {
  if (targetType !== 'ACCOUNT') return assignments.newBody({ targetType });
  const { experienceId } = await connections.make({ accountId: await need('account') });
  return assignments.newBody({ targetType, experienceId });
}

async function* assignmentOfDeletedAccount({ operator, connections, assignments }: Participants, inbox: Inbox): Changes {
  const accounts = await operator('platform.accounts');
  const targetValue = await accounts.create();
  const { experienceId } = await connections.make({ accountId: targetValue });
  const change = assignmentChange(inbox, await assignments.make({ experienceId, targetType: 'ACCOUNT', targetValue }));
  yield change('created');
  await accounts.remove(targetValue);
  yield change('deleted', 'events.assignment.deleted.on-account-deletion');
}

async function* assignmentOfDeletedTarget(participants: Participants, inbox: Inbox, targetType: 'USER' | 'PHONE_NUMBER'): Changes {
  const { need, operator, assignments } = participants;
  const targets = targetType === 'USER' ? await operatorUsers(participants) : await operator('platform.numbers');
  const targetValue = await targets.create(await need('account'));
  const change = assignmentChange(inbox, await assignments.make({ targetType, targetValue }));
  yield change('created');
  await targets.remove(targetValue);
  yield change('deleted', `events.assignment.deleted.${targetType === 'USER' ? 'on-user-deletion' : 'on-number-deletion'}`);
}

/**
 * The second of `ids` is the target, except for an ACCOUNT target: events of other entities contain the account too, so `ids` contains the
 * Experience instead.
 */
function assignmentChange(inbox: Inbox, { id, accountId, experienceId, targetType, targetValue }: Assignment) {
  const data = { assignmentId: id, experienceId, accountId, targetType, targetValue };
  const ids = [id, targetType === 'ACCOUNT' ? experienceId : targetValue] as const;
  return (what: 'created' | 'deleted', rule?: RuleId): Change => {
    const type = `experience.assignment.${what}` as const;
    return { inbox, type, experienceId, ids, data, ...(rule && { rule }) };
  };
}

/** Connects the same account and Experience two times. Each time, changes the state to both values and deletes the connection. */
export async function* connectionTwice(participants: Participants): Changes {
  const { events, connections } = participants;
  const [inbox, pair] = [await events.subscribed(), await connections.pair()];
  for (let round = 1; round <= 2; round += 1) yield* connectionThroughApi(participants, inbox, await connections.connect(pair));
}

/** Assigns the same target two times, and deletes the assignment each time. */
export async function* assignmentTwice(participants: Participants): Changes {
  const [inbox, body] = [await participants.events.subscribed(), await participants.assignments.newBody()];
  for (let round = 1; round <= 2; round += 1) yield* assignmentThroughApi(participants, inbox, body);
}

const userPlaces = ({ has }: Participants) => (['platform.users', 'portal.users'] as const).filter(has);

/** Creates and deletes a user in the second account: on the platform, in a portal, or both, if the target allows it. */
export async function* userChanges(participants: Participants): Changes {
  const { need } = participants;
  if (!canCreateUsers(participants)) await need('platform.users');
  for (const place of userPlaces(participants)) yield* userAt(place, participants, await need('account.second'));
}

/** Creates and deletes each user in a new account, because users of an existing account may belong to several Experiences. */
async function* userChangesOfOneExperience(participants: Participants): Changes {
  if (!participants.has('platform.accounts')) return;
  const accounts = await participants.operator('platform.accounts');
  for (const place of userPlaces(participants)) yield* userAt(place, participants, await accounts.create());
}

/** Assigns a new Experience to the account, then creates and deletes a user in the account. */
async function* userAt(place: keyof typeof USER_RULES, { events, connections, operator }: Participants, accountId: string): Changes {
  const [users, inbox] = [await operator(place), await events.subscribed()];
  const { experienceId } = await assignAccount(connections, inbox, accountId);
  const id = await users.create(accountId);
  const change = (what: 'created' | 'deleted'): Change => {
    const [ids, data] = [[id, experienceId] as const, { userId: id, accountId }];
    return { inbox, type: `provisioning.user.${what}`, rule: USER_RULES[place][what], experienceId, ids, data };
  };
  yield change('created');
  await users.remove(id);
  yield change('deleted');
}
