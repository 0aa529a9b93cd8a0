import type { EventType } from '../../src/contract/generated/events.ts';
import { granted } from '../expect/observed.ts';
import { together } from '../expect/together.ts';
import type { Change } from '../expect/told.ts';
import type { NewAssignment, TargetType } from '../target/capabilities-of-events.ts';
import type { Parts } from './change-parts.ts';
import type { Inbox } from './inbox.ts';
import type { Assignment } from './make-assignment.ts';
import { haveUsers, usersOf } from './user-changes.ts';

export type AssignmentChange = Change & { readonly assignment: Assignment };
type Changes = AsyncGenerator<AssignmentChange>;

/** Who changes assignments. */
interface Changer {
  make(wanted: NewAssignment): Promise<Assignment>;
  remove(assignmentId: string): Promise<unknown>;
}

export const EVERY_TARGET_TYPE: readonly TargetType[] = ['ACCOUNT', 'PHONE_NUMBER', 'USER'];
const NUMBER: readonly TargetType[] = ['PHONE_NUMBER'];

/** An assignment to each of the targets is created and deleted: through the API, and then others by each of those that the target gives. */
export async function* assignmentChanges(parts: Parts, targetTypes = NUMBER): Changes {
  const inbox = await parts.events.subscribed();
  yield* changesBy(parts, await throughApi(parts), inbox, targetTypes);
  yield* together(...assignmentsElsewhere(parts, inbox, targetTypes));
}

/** The same, but for what is done through the API; and that an assignment goes with its account, its user or its number. */
export function assignmentsElsewhere(parts: Parts, inbox: Inbox, targetTypes = NUMBER): readonly Changes[] {
  const places = (['portal.assignments', 'platform.assignments'] as const).filter(parts.has);
  return [
    ...places.map((who) => changesElsewhere(parts, inbox, who, targetTypes)),
    ...(parts.has('platform.accounts') ? [goingWithAccount(parts, inbox)] : []),
    ...(haveUsers(parts) ? [goingWithTarget(parts, inbox, 'USER')] : []),
    ...(parts.has('platform.numbers') ? [goingWithTarget(parts, inbox, 'PHONE_NUMBER')] : []),
  ];
}

/** A target is assigned through the API, and once that assignment is gone it is assigned again: that is another assignment. */
export async function* changesToOneTarget(parts: Parts): Changes {
  const [inbox, wanted] = [await parts.events.subscribed(), await parts.assignments.wanted()];
  const by: Changer = { ...(await throughApi(parts)), make: () => parts.assignments.make(wanted) };
  for (const each of [by, by]) yield* changesBy(parts, each, inbox, NUMBER);
}

async function* changesBy(parts: Parts, by: Changer, inbox: Inbox, targetTypes: readonly TargetType[]): Changes {
  for (const targetType of targetTypes) {
    const assignment = await by.make(await wantedOf(parts, targetType));
    const change = changeOf(inbox, assignment);
    yield change('experience.assignment.created');
    await by.remove(assignment.id);
    yield change('experience.assignment.deleted');
  }
}

/** There is one main account, and nobody says what it is assigned to: it takes an Experience of its own. */
async function wantedOf({ need, connections, assignments }: Parts, targetType: TargetType): Promise<NewAssignment> {
  if (targetType !== 'ACCOUNT') return assignments.wanted({ targetType });
  const { experienceId } = await connections.make({ accountId: await need('account') });
  return assignments.wanted({ targetType, experienceId });
}

async function throughApi({ api, need, assignments }: Parts): Promise<Changer> {
  const token = await need('token');
  return {
    make: assignments.make,
    remove: async (assignmentId) =>
      granted('an assignment that is deleted', await api.call('deleteExperienceAssignment', { token, path: { assignmentId } })),
  };
}

async function* changesElsewhere(
  parts: Parts,
  inbox: Inbox,
  who: 'portal.assignments' | 'platform.assignments',
  targetTypes: readonly TargetType[],
): Changes {
  const [others, accountId] = [await parts.elsewhere(who), await parts.need('account')];
  const make = async (wanted: NewAssignment) => ({ id: await others.create(wanted), accountId, ...wanted });
  yield* changesBy(parts, { make, remove: others.remove }, inbox, targetTypes);
}

async function* goingWithAccount({ elsewhere, connections, assignments }: Parts, inbox: Inbox): Changes {
  const accounts = await elsewhere('platform.accounts');
  const targetValue = await accounts.create();
  const { experienceId } = await connections.make({ accountId: targetValue });
  const change = changeOf(inbox, await assignments.make({ experienceId, targetType: 'ACCOUNT', targetValue }));
  yield change('experience.assignment.created');
  await accounts.remove(targetValue);
  yield change('experience.assignment.deleted');
}

async function* goingWithTarget(parts: Parts, inbox: Inbox, targetType: 'USER' | 'PHONE_NUMBER'): Changes {
  const targets = targetType === 'USER' ? await usersOf(parts) : await parts.elsewhere('platform.numbers');
  const targetValue = await targets.create(await parts.need('account'));
  const change = changeOf(inbox, await parts.assignments.make({ targetType, targetValue }));
  yield change('experience.assignment.created');
  await targets.remove(targetValue);
  yield change('experience.assignment.deleted');
}

/** Other assignments in an account name it, too; what an account is assigned to here is assigned to nothing else. */
function changeOf(inbox: Inbox, assignment: Assignment): (type: EventType) => AssignmentChange {
  const { id, experienceId, targetType, targetValue } = assignment;
  return (type) => ({ inbox, type, assignment, experienceId, ids: [id, targetType === 'ACCOUNT' ? experienceId : targetValue] });
}
