import type { RuleId } from '../../src/contract/generated/rules.ts';
import type { TargetType } from '../../src/refusals/hostile-values.ts';
import type { ConnectionKey } from '../expect/connection.ts';
import { requireSuccess } from '../expect/response.ts';
import type { NewAssignment } from '../target/capabilities.ts';
import { assignAccount } from './arrange.ts';
import type { Assignment } from './assignments.ts';
import type { Change } from './change-events.ts';
import { toggleState } from './connections.ts';
import { runInParallel } from './in-parallel.ts';
import type { Inbox } from './inbox.ts';
import { listUserCapabilities, selectUserCapability, USER_EVENT_RULES } from './operator.ts';
import type { Participants } from './participants.ts';

type ChangeGenerator = AsyncGenerator<Change>;

const STATE_EVENTS = { ACTIVE: 'activated', INACTIVE: 'deactivated' } as const;

export async function* makeAllChanges(participants: Participants, times?: number): ChangeGenerator {
  yield* changeConnections(participants, times);
  yield* changeAssignments(participants);
  if (listUserCapabilities(participants).length > 0) yield* changeUsers(participants);
}

export async function* makeChangesOfOneExperience(participants: Participants): ChangeGenerator {
  yield* changeConnections(participants);
  yield* changeAssignments(participants);
  yield* changeUsersOfOneExperience(participants);
}

/** @param times how often the API sets the connection to each state */
export async function* changeConnections(participants: Participants, times = 1): ChangeGenerator {
  const inbox = await participants.events.openDefaultInbox();
  yield* changeConnectionThroughApi(participants, inbox, await participants.connections.createOrThrow(), times);
  const capabilities = (['portal.connections', 'platform.connections'] as const).filter(participants.has);
  yield* runInParallel(
    ...capabilities.map((capability) => changeConnectionByOperator(capability, participants, inbox)),
    ...(participants.has('platform.accounts') ? [deleteAccountOfConnection(participants, inbox)] : []),
  );
}

async function* changeConnectionThroughApi({ connections }: Participants, inbox: Inbox, key: ConnectionKey, times = 1): ChangeGenerator {
  const change = createConnectionChangeFactory(inbox, key);
  yield change('created');
  const first = toggleState(await connections.readState(key));
  for (const state of Array.from({ length: times }, () => [first, toggleState(first)]).flat()) {
    await connections.setState(key, state);
    yield change(STATE_EVENTS[state]);
  }
  requireSuccess('a deleted connection', await connections.remove(key));
  yield change('deleted');
}

async function* changeConnectionByOperator(
  capability: 'portal.connections' | 'platform.connections',
  { operator, connections }: Participants,
  inbox: Inbox,
): ChangeGenerator {
  const isPortal = capability === 'portal.connections';
  const [actions, pair] = [await operator(capability), await connections.pickPair()];
  const id = await actions.create(pair);
  const change = createConnectionChangeFactory(inbox, { id, ...pair });
  yield change('created', `events.connection.created.${isPortal ? 'on-portal-create' : 'on-platform-create'}`);
  const first = toggleState(await connections.readState({ id }));
  for (const state of [first, toggleState(first)]) {
    await actions.update(id, state);
    yield change(STATE_EVENTS[state], `events.connection.${STATE_EVENTS[state]}.${isPortal ? 'on-portal-action' : 'on-platform-change'}`);
  }
  await actions.remove(id);
  yield change('deleted', `events.connection.deleted.${isPortal ? 'on-portal-removal' : 'on-platform-removal'}`);
}

async function* deleteAccountOfConnection({ operator, connections }: Participants, inbox: Inbox): ChangeGenerator {
  const accounts = await operator('platform.accounts');
  const accountId = await accounts.create();
  const change = createConnectionChangeFactory(inbox, await connections.createOrThrow({ accountId }), accountId);
  yield change('created');
  await accounts.remove(accountId);
  yield change('deleted', 'events.connection.deleted.on-account-deletion');
}

/** @param otherId the id of an account or Experience that has only this one connection */
function createConnectionChangeFactory(inbox: Inbox, { id, accountId, experienceId }: ConnectionKey, otherId = experienceId) {
  const data = { connectionId: id, experienceId, accountId };
  const ids = [id, otherId] as const;
  return (action: 'created' | 'activated' | 'deactivated' | 'deleted', rule?: RuleId): Change => {
    const type = `experience.connection.${action}` as const;
    return { inbox, type, experienceId, ids, data, ...(rule && { rule }) };
  };
}

export async function* changeAssignments(
  participants: Participants,
  targetTypes: readonly TargetType[] = ['PHONE_NUMBER'],
): ChangeGenerator {
  const inbox = await participants.events.openDefaultInbox();
  for (const targetType of targetTypes)
    yield* changeAssignmentThroughApi(participants, inbox, await createAssignmentBody(participants, targetType));
  const capabilities = (['portal.assignments', 'platform.assignments'] as const).filter(participants.has);
  yield* runInParallel(
    ...capabilities.map((capability) => changeAssignmentsByOperator(capability, participants, inbox, targetTypes)),
    ...(participants.has('platform.accounts') ? [deleteAccountOfAssignment(participants, inbox)] : []),
    ...(listUserCapabilities(participants).length > 0 ? [deleteTargetOfAssignment(participants, inbox, 'USER')] : []),
    ...(participants.has('platform.numbers') ? [deleteTargetOfAssignment(participants, inbox, 'PHONE_NUMBER')] : []),
  );
}

async function* changeAssignmentThroughApi({ assignments }: Participants, inbox: Inbox, body: NewAssignment): ChangeGenerator {
  const assignment = await assignments.createOrThrow(body);
  const change = createAssignmentChangeFactory(inbox, assignment);
  yield change('created');
  requireSuccess('a deleted assignment', await assignments.remove(assignment.id));
  yield change('deleted');
}

async function* changeAssignmentsByOperator(
  capability: 'portal.assignments' | 'platform.assignments',
  participants: Participants,
  inbox: Inbox,
  targetTypes: readonly TargetType[],
): ChangeGenerator {
  const by = capability === 'portal.assignments' ? 'on-portal' : 'on-platform';
  const [actions, accountId] = [await participants.operator(capability), await participants.need('account')];
  for (const targetType of targetTypes) {
    const body = await createAssignmentBody(participants, targetType);
    const id = await actions.create(body);
    const change = createAssignmentChangeFactory(inbox, { id, accountId, ...body });
    yield change('created', `events.assignment.created.${by}-create`);
    await actions.remove(id);
    yield change('deleted', `events.assignment.deleted.${by}-removal`);
  }
}

/** For an ACCOUNT target, creates a new Experience, because the existing ones may already be assigned. */
async function createAssignmentBody({ need, connections, assignments }: Participants, targetType: TargetType): Promise<NewAssignment> {
  if (targetType !== 'ACCOUNT') return assignments.createBody({ targetType });
  const { experienceId } = await connections.createOrThrow({ accountId: await need('account') });
  return assignments.createBody({ targetType, experienceId });
}

async function* deleteAccountOfAssignment({ operator, connections, assignments }: Participants, inbox: Inbox): ChangeGenerator {
  const accounts = await operator('platform.accounts');
  const targetValue = await accounts.create();
  const { experienceId } = await connections.createOrThrow({ accountId: targetValue });
  const assignment = await assignments.createOrThrow({ experienceId, targetType: 'ACCOUNT', targetValue });
  const change = createAssignmentChangeFactory(inbox, assignment);
  yield change('created');
  await accounts.remove(targetValue);
  yield change('deleted', 'events.assignment.deleted.on-account-deletion');
}

async function* deleteTargetOfAssignment(participants: Participants, inbox: Inbox, targetType: 'USER' | 'PHONE_NUMBER'): ChangeGenerator {
  const { need, operator, assignments } = participants;
  const targets = await operator(targetType === 'USER' ? selectUserCapability(participants) : 'platform.numbers');
  const targetValue = await targets.create(await need('account'));
  const change = createAssignmentChangeFactory(inbox, await assignments.createOrThrow({ targetType, targetValue }));
  yield change('created');
  await targets.remove(targetValue);
  yield change('deleted', `events.assignment.deleted.${targetType === 'USER' ? 'on-user-deletion' : 'on-number-deletion'}`);
}

function createAssignmentChangeFactory(inbox: Inbox, { id, accountId, experienceId, targetType, targetValue }: Assignment) {
  const data = { assignmentId: id, experienceId, accountId, targetType, targetValue };
  // For an ACCOUNT target, match the Experience's id, because events about the account's users and numbers contain the account's id, too.
  const ids = [id, targetType === 'ACCOUNT' ? experienceId : targetValue] as const;
  return (action: 'created' | 'deleted', rule?: RuleId): Change => {
    const type = `experience.assignment.${action}` as const;
    return { inbox, type, experienceId, ids, data, ...(rule && { rule }) };
  };
}

export async function* createConnectionTwice(participants: Participants): ChangeGenerator {
  const { events, connections } = participants;
  const [inbox, pair] = [await events.openDefaultInbox(), await connections.pickPair()];
  for (let round = 1; round <= 2; round += 1) yield* changeConnectionThroughApi(participants, inbox, await connections.createBetween(pair));
}

export async function* changeUsers(participants: Participants): ChangeGenerator {
  const [capabilities, { need }] = [listUserCapabilities(participants), participants];
  if (capabilities.length === 0) await need('platform.users');
  for (const capability of capabilities) yield* createAndDeleteUser(capability, participants, await need('account.second'));
}

/** Creates and deletes each user in a new account, because users in an existing account may belong to several Experiences. */
async function* changeUsersOfOneExperience(participants: Participants): ChangeGenerator {
  if (!participants.has('platform.accounts')) return;
  const accounts = await participants.operator('platform.accounts');
  for (const capability of listUserCapabilities(participants))
    yield* createAndDeleteUser(capability, participants, await accounts.create());
}

async function* createAndDeleteUser(
  capability: keyof typeof USER_EVENT_RULES,
  { events, connections, operator }: Participants,
  accountId: string,
): ChangeGenerator {
  const [users, inbox] = [await operator(capability), await events.openDefaultInbox()];
  const { experienceId } = await assignAccount(connections, inbox, accountId);
  const id = await users.create(accountId);
  const createChange = (action: 'created' | 'deleted'): Change => {
    const [ids, data] = [[id, experienceId] as const, { userId: id, accountId }];
    return { inbox, type: `provisioning.user.${action}`, rule: USER_EVENT_RULES[capability][action], experienceId, ids, data };
  };
  yield createChange('created');
  await users.remove(id);
  yield createChange('deleted');
}
