import { together } from '../expect/together.ts';
import type { Change } from '../expect/told.ts';
import { assignmentChanges, assignmentsElsewhere } from './assignment-changes.ts';
import type { Parts } from './change-parts.ts';
import { connectionChanges, connectionsElsewhere } from './connection-changes.ts';
import { haveUsers, type UserChange, userChanges } from './user-changes.ts';

// The next changes are made once the check has done with those before, so that what is wrong shows early.

/**
 * A change for each type of event, and for each cause that the target gives somebody for.
 * @param times how often the connection becomes ACTIVE, and INACTIVE
 */
export async function* everyChange(parts: Parts, times?: number): AsyncGenerator<Change> {
  yield* connectionChanges(parts, times);
  yield* assignmentChanges(parts);
  if (haveUsers(parts)) yield* userChanges(parts);
}

/** Each change of which one Experience alone is told. */
export async function* changesOfOneExperience(parts: Parts): AsyncGenerator<Change> {
  yield* connectionChanges(parts);
  yield* assignmentChanges(parts);
  yield* usersOfOneExperience(parts);
}

/** Each change of which one Experience alone is told, and that is not made through the API. */
export async function* changesElsewhere(parts: Parts): AsyncGenerator<Change> {
  const inbox = await parts.events.subscribed();
  yield* together<Change>(...connectionsElsewhere(parts, inbox), ...assignmentsElsewhere(parts, inbox), usersOfOneExperience(parts));
}

/** Only where the platform gives an account of its own for them, as any other account may belong to more. */
async function* usersOfOneExperience(parts: Parts): AsyncGenerator<UserChange> {
  if (!parts.has('platform.accounts') || !haveUsers(parts)) return;
  const accountId = await (await parts.elsewhere('platform.accounts')).create();
  yield* userChanges(parts, { accountId });
}
