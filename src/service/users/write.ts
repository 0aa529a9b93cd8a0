import { provisioningEvent } from '../../domain/events.ts';
import { instant, nextInstant } from '../../domain/instants.ts';
import { assignmentsToTarget } from '../../store/assignments.ts';
import type { Executor } from '../../store/engine.ts';
import { assignedExperiences } from '../../store/provisioning.ts';
import { countUsers, deleteUserRow, insertUser, insertVersion, retireVersion, updateUserRow } from '../../store/users.ts';
import { removeAssignments } from '../assignments/remove.ts';
import type { ServiceContext } from '../context.ts';
import { publish } from '../publish.ts';
import { type User, userRow } from './entity.ts';

/** A user as the platform knows it. */
export interface PlatformUser {
  readonly id: string;
  readonly alias: string;
  readonly accountId: string;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}

/** A user appears in an account, on the platform. The list shows it after the lag; reading it does at once. */
export async function createUser(tx: Executor, context: ServiceContext, input: PlatformUser): Promise<void> {
  const now = context.clock.now();
  const createdAt = instant(now);
  const row = userRow({ ...names(input), id: input.id, accountId: input.accountId, createdAt, updatedAt: null });
  await insertUser(tx, { ...row, alias: input.alias });
  await showLater(tx, context, row, now);
  await countUsers(tx, { accountId: input.accountId, dueAt: now + lag(context), delta: 1, now });
  // A user that was never updated has no updatedAt, but the event needs one: its creation.
  await publishProvisioning(tx, context, 'created', { id: input.id, accountId: input.accountId, updatedAt: createdAt }, createdAt);
}

interface KnownUser extends Omit<PlatformUser, 'alias'> {
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** New names for a user. No event is defined for it. */
export async function updateUser(tx: Executor, context: ServiceContext, user: KnownUser): Promise<void> {
  const now = context.clock.now();
  const updatedAt = nextInstant(now, user.updatedAt || user.createdAt);
  const row = userRow({ ...names(user), id: user.id, accountId: user.accountId, createdAt: user.createdAt, updatedAt });
  await updateUserRow(tx, row);
  await retireVersion(tx, { userId: user.id, from: now + lag(context), now });
  await showLater(tx, context, row, now);
}

/** A user goes, and what is assigned to it (Events › Event types). */
export async function deleteUser(
  tx: Executor,
  context: ServiceContext,
  user: Pick<KnownUser, 'id' | 'accountId' | 'createdAt' | 'updatedAt'>,
  silent = false,
) {
  const now = context.clock.now();
  // Matched against the world before anything goes: the ACCOUNT assignment may be about to be removed as well.
  const updatedAt = nextInstant(now, user.updatedAt || user.createdAt);
  if (!silent) await publishProvisioning(tx, context, 'deleted', { id: user.id, accountId: user.accountId, updatedAt }, instant(now));
  await removeAssignments(tx, context, await assignmentsToTarget(tx, { targetType: 'USER', targetValue: user.id }));
  await deleteUserRow(tx, { id: user.id });
  await retireVersion(tx, { userId: user.id, from: now + lag(context), now });
  await countUsers(tx, { accountId: user.accountId, dueAt: now + lag(context), delta: -1, now });
}

async function publishProvisioning(
  tx: Executor,
  context: ServiceContext,
  happened: 'created' | 'deleted',
  user: { id: string; accountId: string; updatedAt: string },
  timestamp: string,
) {
  const { decisions } = context;
  const experiences = await assignedExperiences(tx, user.accountId, decisions['provisioning.assigned-means']);
  const told = new Set<string>();
  for (const experience of experiences) {
    if (decisions['provisioning.several-experiences'] === 'one' && told.has(experience.providerId)) continue;
    told.add(experience.providerId);
    await publish(tx, context, [provisioningEvent(happened, user, experience)], timestamp);
  }
}

function lag(context: ServiceContext): number {
  return context.decisions['users.list.read-model-lag'];
}

async function showLater(tx: Executor, context: ServiceContext, row: ReturnType<typeof userRow>, now: number): Promise<void> {
  await insertVersion(tx, { ...row, from: now + lag(context) });
}

function names({
  firstName,
  lastName,
}: {
  firstName?: string | undefined;
  lastName?: string | undefined;
}): Pick<User, 'firstName' | 'lastName'> {
  return { ...(firstName === undefined ? {} : { firstName }), ...(lastName === undefined ? {} : { lastName }) };
}
