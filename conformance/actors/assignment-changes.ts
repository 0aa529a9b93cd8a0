import type { EventType } from '../../src/contract/generated/events.ts';
import { requireSuccess } from '../expect/response.ts';
import type { NewAssignment, TargetType } from '../target/capabilities-of-events.ts';
import type { Assignment } from './assignments.ts';
import type { Change } from './change-events.ts';
import { inParallel } from './in-parallel.ts';
import type { Inbox } from './inbox.ts';
import { canCreateUsers, operatorUsers } from './operator.ts';
import type { Participants } from './participants.ts';

export type AssignmentChange = Change & { readonly assignment: Assignment };
type Changes = AsyncGenerator<AssignmentChange>;
type TargetTypes = readonly TargetType[];

/** Somebody who changes assignments. */
interface Changer {
  create(body: NewAssignment): Promise<Assignment>;
  remove(assignmentId: string): Promise<unknown>;
}

const NUMBER: TargetTypes = ['PHONE_NUMBER'];

/** Creates and deletes an assignment to each type of target: through the API, then in a portal and on the platform if the target allows it. */
export async function* assignmentChanges(participants: Participants, targetTypes = NUMBER): Changes {
  const inbox = await participants.events.subscribed();
  yield* changesBy(throughApi(participants), participants, inbox, targetTypes);
  yield* inParallel(...assignmentChangesElsewhere(participants, inbox, targetTypes));
}

/** The changes that are not made through the API, and the deletion of an account, a user and a number with its assignment. */
export function assignmentChangesElsewhere(participants: Participants, inbox: Inbox, targetTypes = NUMBER): readonly Changes[] {
  const places = (['portal.assignments', 'platform.assignments'] as const).filter(participants.has);
  return [
    ...places.map((place) => changesAt(place, participants, inbox, targetTypes)),
    ...(participants.has('platform.accounts') ? [changesByAccountDeletion(participants, inbox)] : []),
    ...(canCreateUsers(participants) ? [changesByTargetDeletion(participants, inbox, 'USER')] : []),
    ...(participants.has('platform.numbers') ? [changesByTargetDeletion(participants, inbox, 'PHONE_NUMBER')] : []),
  ];
}

/** Assigns the same target twice, and deletes each assignment: these are two assignments. */
export async function* changesToOneTarget(participants: Participants): Changes {
  const { events, assignments } = participants;
  const [inbox, body] = [await events.subscribed(), await assignments.newBody()];
  const changer: Changer = { ...throughApi(participants), create: () => assignments.make(body) };
  yield* changesBy(changer, participants, inbox, NUMBER);
  yield* changesBy(changer, participants, inbox, NUMBER);
}

async function* changesBy(changer: Changer, participants: Participants, inbox: Inbox, targetTypes: TargetTypes): Changes {
  for (const targetType of targetTypes) {
    const assignment = await changer.create(await newBody(participants, targetType));
    const change = changeOf(inbox, assignment);
    yield change('experience.assignment.created');
    await changer.remove(assignment.id);
    yield change('experience.assignment.deleted');
  }
}

/** There is one main account, which may have assignments already: it gets an Experience of its own. */
async function newBody({ need, connections, assignments }: Participants, targetType: TargetType): Promise<NewAssignment> {
  if (targetType !== 'ACCOUNT') return assignments.newBody({ targetType });
  const { experienceId } = await connections.make({ accountId: await need('account') });
  return assignments.newBody({ targetType, experienceId });
}

function throughApi({ assignments }: Participants): Changer {
  return {
    create: assignments.make,
    remove: async (id) => requireSuccess('an assignment that is deleted', await assignments.remove(id)),
  };
}

async function* changesAt(
  place: 'portal.assignments' | 'platform.assignments',
  participants: Participants,
  inbox: Inbox,
  targetTypes: TargetTypes,
): Changes {
  const [actions, accountId] = [await participants.operator(place), await participants.need('account')];
  const create = async (body: NewAssignment) => ({ id: await actions.create(body), accountId, ...body });
  yield* changesBy({ create, remove: actions.remove }, participants, inbox, targetTypes);
}

async function* changesByAccountDeletion({ operator, connections, assignments }: Participants, inbox: Inbox): Changes {
  const accounts = await operator('platform.accounts');
  const targetValue = await accounts.create();
  const { experienceId } = await connections.make({ accountId: targetValue });
  const change = changeOf(inbox, await assignments.make({ experienceId, targetType: 'ACCOUNT', targetValue }));
  yield change('experience.assignment.created');
  await accounts.remove(targetValue);
  yield change('experience.assignment.deleted');
}

async function* changesByTargetDeletion(participants: Participants, inbox: Inbox, targetType: 'USER' | 'PHONE_NUMBER'): Changes {
  const { need, operator, assignments } = participants;
  const targets = targetType === 'USER' ? await operatorUsers(participants) : await operator('platform.numbers');
  const targetValue = await targets.create(await need('account'));
  const change = changeOf(inbox, await assignments.make({ targetType, targetValue }));
  yield change('experience.assignment.created');
  await targets.remove(targetValue);
  yield change('experience.assignment.deleted');
}

/** The target identifies an assignment as well as its id; an account does not, as other events contain it, but its Experience is its own. */
function changeOf(inbox: Inbox, assignment: Assignment): (type: EventType) => AssignmentChange {
  const { id, experienceId, targetType, targetValue } = assignment;
  return (type) => ({ inbox, type, assignment, experienceId, ids: [id, targetType === 'ACCOUNT' ? experienceId : targetValue] });
}
