import type { Evidence } from '../contract/evidence.ts';
import { addEvidence, refuse } from '../contract/failure.ts';
import type { components } from '../contract/generated/service.ts';
import type { Json } from '../contract/outcome.ts';
import {
  type Access,
  type Actor,
  createAccessLevelEvidence,
  createUnknownEntityEvidence,
  getLevel,
  getPrincipalId,
  NONE,
} from '../domain/access.ts';
import { createProvisioningEvent } from '../domain/events.ts';
import { formatInstant, getNextInstant } from '../domain/instants.ts';
import { findStyles } from '../domain/native-ids.ts';
import { buildPage, createUsersListName, getPageFill, getReportedPageSize, refuseUsersCursor } from '../domain/pages.ts';
import { accountAccess } from '../store/accounts.ts';
import { assignmentsToTarget } from '../store/assignments.ts';
import { listAssignedExperiences } from '../store/experiences.ts';
import { insertRow, type PageRow } from '../store/prepared.ts';
import {
  addToCount,
  countShownUsers,
  deleteUserRow,
  endVersion,
  toUserRow,
  toVersionRow,
  updateUserRow,
  userAccess,
  userByNativeId,
  userPage,
} from '../store/users.ts';
import { removeAssignments } from './assignments.ts';
import type { ServiceContext, WriteScope } from './context.ts';
import { publish } from './publish.ts';

/** A user as the API returns it (Resources › UnifiedUser). An unknown first or last name is absent, not null. */
type User = components['schemas']['UnifiedUser'];

const SORT_COLUMNS = { createdAt: 'created_at', updatedAt: 'updated_at', firstName: 'first_name', lastName: 'last_name' } as const;
export type SortField = keyof typeof SORT_COLUMNS;

export interface UsersQuery {
  readonly accountId: string;
  readonly sortBy?: SortField | undefined;
  readonly sortOrder?: 'asc' | 'desc' | undefined;
  readonly cursor?: string | undefined;
  readonly pageSize: number;
}

interface UserPage {
  entities: User[];
  cursor: string | null;
  pageSize: number;
  count?: number;
}

/** The list shows changes after the read model's lag. */
export async function listUsers({ store, decisions, cursors, clock }: ServiceContext, actor: Actor, query: UsersQuery) {
  const { accountId, cursor, pageSize, sortBy = 'createdAt', sortOrder = 'asc' } = query;
  if (sortBy !== 'createdAt' && decisions['users.list.sort-fields'] === 'createdAt') {
    const errors = [{ pointer: '?sortBy', message: 'must be createdAt' }];
    return refuse(400, 'users.list.sort-by-allowed', `The users list cannot be sorted by ${sortBy}.`, errors);
  }
  const key = { accountId, sortBy, sortOrder };
  const list = createUsersListName(key);
  const start = cursor === undefined ? { position: [] } : cursors.read(cursor, list);
  if ('problem' in start) return refuseUsersCursor(start, key);

  const account = await accountAccess.first(store.db, { id: accountId, principalId: getPrincipalId(actor) });
  if (!account || getLevel(actor, account) === NONE) {
    const body: UserPage = { entities: [], cursor: null, pageSize: getReportedPageSize(decisions, pageSize, 0) };
    const evidence = account ? createAccessLevelEvidence(actor, 'read', account) : createUnknownEntityEvidence('account', accountId);
    return { body: decisions['users.list.count-hidden-account'] === 'absent' ? body : { ...body, count: 0 }, evidence };
  }
  const [value, id] = start.position;
  const fill = getPageFill(decisions, query);
  return store.read(async (db): Promise<{ body: Json<UserPage>; evidence?: Evidence }> => {
    // Read the clock only now, because changes made while the request waits for a connection delete outdated rows.
    const now = clock.now();
    const params = { accountId, now, key: value, id, limit: fill + 1 };
    const rows = await userPage(params, `${SORT_COLUMNS[sortBy]} ${sortOrder}`).tuples<PageRow>(db, params);
    const count = await countShownUsers(db, accountId, now);
    const body = buildPage<UserPage>(rows, { cursors, decisions, list, pageSize, fill, count });
    if (rows.length > 0) return { body };
    return { body, evidence: id ? { cause: 'cursor', problem: 'at the end' } : { cause: 'empty list', of: 'users', accountId } };
  });
}

/** Unknown and hidden users get the same response. */
export async function readUser({ store, decisions }: ServiceContext, actor: Actor, userId: string) {
  const principalId = getPrincipalId(actor);
  const styles = findStyles(userId, decisions['users.native-id.ambiguous']);
  let hidden: Access | undefined;
  for (const style of styles) {
    const row =
      style === 'unified'
        ? await userAccess.first(store.db, { id: userId.toLowerCase(), principalId })
        : await userByNativeId.first(store.db, { nativeId: userId, style, principalId });
    if (row && getLevel(actor, row) !== NONE) {
      const body: Json<User> = { json: row.json };
      return { body };
    }
    // Continue, because `userId` may be the id of a visible user in another format.
    hidden ??= row;
  }
  const refusal = refuse(404, 'users.get.not-found', 'There is no such user.');
  if (hidden) return addEvidence(refusal, createAccessLevelEvidence(actor, 'read', hidden, { what: 'user', id: userId }));
  return addEvidence(
    refusal,
    styles.length > 0 ? createUnknownEntityEvidence('user', userId) : { cause: 'id style unsupported', value: userId },
  );
}

interface UserNames {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}

export interface NewUser extends UserNames {
  readonly id: string;
  readonly alias: string;
  readonly accountId: string;
}

/** GET /users lists the user after the read model's lag. */
export async function createUser(scope: WriteScope, { id, alias, accountId, firstName, lastName }: NewUser): Promise<void> {
  const { tx, context } = scope;
  const now = context.clock.now();
  const createdAt = formatInstant(now);
  const row = toUserRow({ id, accountId, firstName, lastName, createdAt, updatedAt: null }, alias);
  await insertRow(tx, 'users', row);
  await insertRow(tx, 'user_list', toVersionRow(row, now + getLag(context)));
  await addToCount(tx, { accountId, dueAt: now + getLag(context), delta: 1, now });
  // The event requires `updatedAt`. A new user has none, so the event contains `createdAt` instead.
  await publishProvisioning(scope, 'created', { id, accountId, updatedAt: createdAt }, createdAt);
}

interface KnownUser {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: string;
  /** The last update; '' for a user without updates. */
  readonly updatedAt: string;
}

/** The specification defines no event for name changes. */
export async function updateUser({ tx, context }: WriteScope, user: KnownUser & UserNames): Promise<void> {
  const now = context.clock.now();
  const from = now + getLag(context);
  // The alias is empty, because an update does not write it.
  const row = toUserRow({ ...user, updatedAt: getNextInstant(now, user.updatedAt || user.createdAt) }, '');
  await updateUserRow(tx, row);
  await endVersion(tx, { userId: user.id, from, now });
  await insertRow(tx, 'user_list', toVersionRow(row, from));
}

/** Deletes a user and its assignments (Events › Event types). */
export async function deleteUser(
  scope: WriteScope,
  { id, accountId, createdAt, updatedAt: previous }: KnownUser,
  { isAnnounced = true } = {},
): Promise<void> {
  const { tx, context } = scope;
  const now = context.clock.now();
  const from = now + getLag(context);
  const updatedAt = getNextInstant(now, previous || createdAt);
  // Publish now, because the account's assignments determine the event's Experiences, and the caller may delete those assignments next.
  if (isAnnounced) await publishProvisioning(scope, 'deleted', { id, accountId, updatedAt }, formatInstant(now));
  await removeAssignments(scope, await assignmentsToTarget(tx, { targetType: 'USER', targetValue: id }));
  await deleteUserRow(tx, { id });
  await endVersion(tx, { userId: id, from, now });
  await addToCount(tx, { accountId, dueAt: from, delta: -1, now });
}

async function publishProvisioning(
  scope: WriteScope,
  change: 'created' | 'deleted',
  user: { id: string; accountId: string; updatedAt: string },
  timestamp: string,
): Promise<void> {
  const { tx, context } = scope;
  const { decisions } = context;
  const providers = new Set<string>();
  for (const experience of await listAssignedExperiences(tx, user.accountId, decisions['provisioning.assigned-means'])) {
    if (decisions['provisioning.several-experiences'] === 'one' && providers.has(experience.providerId)) continue;
    providers.add(experience.providerId);
    await publish(scope, [createProvisioningEvent(change, user, experience)], timestamp);
  }
}

function getLag({ decisions }: ServiceContext): number {
  return decisions['users.list.read-model-lag'];
}
