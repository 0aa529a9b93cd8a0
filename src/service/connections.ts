import type { Evidence } from '../contract/evidence.ts';
import { addEvidence, isFailure, refuseByDecision } from '../contract/failure.ts';
import type { components } from '../contract/generated/service.ts';
import {
  type Actor,
  createAccessLevelEvidence,
  createUnknownEntityEvidence,
  getLevel,
  getPrincipalId,
  getProviderId,
  NONE,
  refuseHidden,
  refuseUnknown,
  refuseUnmanageable,
} from '../domain/access.ts';
import {
  type ConnectionState,
  isDeletionBlockedByNumbers,
  listCreationEvents,
  listDeletionEvents,
  refuseAssignedNumbers,
  refuseConnection,
  refuseSameState,
  toStateChange,
} from '../domain/connections.ts';
import { createConnectionEvent, type ExperienceFacts } from '../domain/events.ts';
import { formatInstant, getNextInstant } from '../domain/instants.ts';
import { findPageStart, getPageFill, getReportedPageSize, hasNextPage } from '../domain/pages.ts';
import { accountAccess, lockAccount, numberAccess } from '../store/accounts.ts';
import { assignmentsOfConnection, listAssignedNumbers } from '../store/assignments.ts';
import { connectionAccess, connectionOf, connectionPage, deleteConnectionRow, updateConnectionState } from '../store/connections.ts';
import type { Executor } from '../store/engine.ts';
import { experienceAccess, lockExperience } from '../store/experiences.ts';
import { insertRow } from '../store/prepared.ts';
import { removeAssignments } from './assignments.ts';
import type { ServiceContext, WriteScope } from './context.ts';
import { publish } from './publish.ts';
import { writeWithRetry } from './write.ts';

/** A connection as the API returns it (Resources › ExperienceConnection). */
type Connection = Required<components['schemas']['ExperienceConnection']>;

interface ConnectionPage {
  entities: Connection[];
  cursor: string | null;
  pageSize: number;
}

interface ConnectionsQuery {
  /** The account whose connections are listed. If set, `telephoneNumber` is ignored. */
  readonly accountId?: string | undefined;
  readonly telephoneNumber?: string | undefined;
  readonly experienceId?: string | undefined;
  readonly cursor?: string | undefined;
  readonly pageSize: number;
}

export async function listConnections(context: ServiceContext, actor: Actor, query: ConnectionsQuery) {
  const { getListDatabase, decisions, cursors } = context;
  const { experienceId, cursor, pageSize } = query;
  const account = await selectAccount(context, actor, query);
  if (isFailure(account)) return account;
  const list = ['connections', account.id ?? query.accountId ?? query.telephoneNumber, experienceId].join('|');
  const start = findPageStart(decisions, cursor === undefined ? undefined : cursors.read(cursor, list));
  if (isFailure(start)) return start;
  const empty: ConnectionPage = { entities: [], cursor: null, pageSize: getReportedPageSize(decisions, pageSize, 0) };
  if (account.id === undefined) return { body: empty, evidence: account.evidence };
  if (start.isEmpty) {
    const evidence: Evidence = { cause: 'cursor', problem: 'malformed' };
    return { body: empty, evidence };
  }

  const fill = getPageFill(decisions, query);
  const params = { accountId: account.id, experienceId, providerId: getProviderId(actor), after: start.after, limit: fill + 1 };
  const rows = await connectionPage(params, decisions['lists.order'] === 'newest-first' ? 'desc' : 'asc')(await getListDatabase(), params);
  const entities = rows.slice(0, fill);
  const body: ConnectionPage = {
    entities,
    cursor: hasNextPage(decisions, fill, rows.length)
      ? cursors.issue(
          list,
          entities.slice(-1).map(({ id }) => id),
        )
      : null,
    pageSize: getReportedPageSize(decisions, pageSize, entities.length),
  };
  if (rows.length > 0) return { body };
  const evidence: Evidence = start.after
    ? { cause: 'cursor', problem: 'at the end' }
    : { cause: 'empty list', of: 'connections', accountId: account.id, experienceId };
  return { body, evidence };
}

async function selectAccount({ store, decisions }: ServiceContext, actor: Actor, { accountId, telephoneNumber = '' }: ConnectionsQuery) {
  const principalId = getPrincipalId(actor);
  const byId = accountId !== undefined;
  const account = byId
    ? await accountAccess.first(store.db, { id: accountId, principalId })
    : await numberAccess.first(store.db, { number: telephoneNumber, principalId });
  if (account && getLevel(actor, account) !== NONE) return { id: account.accountId };
  const missing = byId
    ? createUnknownEntityEvidence('account', accountId)
    : createUnknownEntityEvidence('telephone number', telephoneNumber);
  const evidence = account ? createAccessLevelEvidence(actor, 'read', account) : missing;
  const decisionId = byId ? 'lists.hidden-account' : 'connections.list.unknown-number';
  if (decisions[decisionId] === 'empty') return { id: undefined, evidence };
  return addEvidence(refuseByDecision(decisionId, byId ? 'There is no such account.' : 'No account has this telephone number.'), evidence);
}

export async function readConnection({ store }: ServiceContext, actor: Actor, id: string) {
  const found = await findConnection(store.db, actor, id);
  return (
    refuseHidden(actor, { what: 'connection', id, access: found }, 'read', 'connections.get.not-found') ?? { body: toConnection(found!) }
  );
}

function findConnection(db: Executor, actor: Actor, id: string) {
  return connectionAccess.first(db, { id, providerId: getProviderId(actor), principalId: getPrincipalId(actor) });
}

function toConnection({ id, accountId, accountName, experienceId, state, updatedAt }: Connection): Connection {
  return { id, accountId, accountName, experienceId, state, updatedAt };
}

interface NewConnection {
  readonly accountId: string;
  readonly experienceId: string;
  readonly state?: ConnectionState | undefined;
  /** The alias in the world. Default: the connection's id. */
  readonly alias?: string | undefined;
}

export function createConnection(context: ServiceContext, actor: Actor, input: NewConnection) {
  return writeWithRetry(context.store, (tx) => createInTransaction({ tx, context, actor }, input));
}

async function createInTransaction(scope: WriteScope, input: NewConnection) {
  const { tx, context, actor } = scope;
  const { decisions, clock, ids } = context;
  const { accountId, experienceId, state = decisions['connections.create.initial-state'] } = input;
  const experience = await experienceAccess.first(tx, { id: experienceId, providerId: getProviderId(actor) });
  const account = await accountAccess.first(tx, { id: accountId, principalId: getPrincipalId(actor) });
  await lockAccount(tx, accountId);
  const existing = await connectionOf.first(tx, { accountId, experienceId });
  const refusal = refuseConnection(actor, { accountId, experienceId }, { experience, account, existingId: existing?.id });
  if (refusal) return refusal;

  const { accountName } = account!;
  const connection: Connection = { id: ids.uuid(), accountId, accountName, experienceId, state, updatedAt: formatInstant(clock.now()) };
  const { id, updatedAt } = connection;
  const row = { id, alias: input.alias ?? id, account_id: accountId, experience_id: experienceId, state, updated_at: updatedAt };
  await insertRow(tx, 'connections', row);
  await publish(scope, listCreationEvents({ ...experience!, ...connection }, decisions), updatedAt);
  return { connection, body: connection };
}

/** PUT /experience/connections/{experienceConnectionId} (States and transitions, rows 1 to 3). */
export function updateConnection(context: ServiceContext, actor: Actor, id: string, state: ConnectionState) {
  return context.store.write(async (tx) => {
    const found = await findAndLock(tx, actor, id);
    const requested = { what: 'connection', id, access: found } as const;
    const refusal = refuseUnmanageable(actor, requested, 'connections.update.not-found', 'connections.update.read-only');
    if (refusal) return refusal;
    const connection = found!;
    if (connection.state === state) {
      const isAllowed = actor.kind === 'portal' && context.decisions['portal.same-state'] === 'no-op';
      return isAllowed ? { body: toConnection(connection) } : refuseSameState(connection, state);
    }
    const now = context.clock.now();
    const updated = { ...connection, state, updatedAt: getNextInstant(now, connection.updatedAt) };
    await updateConnectionState(tx, updated);
    await publish({ tx, context, actor }, [createConnectionEvent(toStateChange(state), updated)], formatInstant(now));
    return { body: toConnection(updated) };
  });
}

/** DELETE /experience/connections/{experienceConnectionId} (States and transitions, rows 4 and 5). */
export function deleteConnection(context: ServiceContext, actor: Actor, id: string) {
  const { decisions } = context;
  return context.store.write(async (tx) => {
    const scope = { tx, context, actor };
    const found = await findAndLock(tx, actor, id);
    const requested = { what: 'connection', id, access: found } as const;
    const refusal = refuseUnmanageable(actor, requested, 'connections.delete.not-found', 'connections.delete.read-only');
    if (refusal) return refusal;
    const connection = found!;
    if (isDeletionBlockedByNumbers(actor, decisions)) {
      const ofAccount = decisions['connections.delete.blocking-numbers'] === 'account' ? connection.accountId : undefined;
      if (ofAccount === undefined) await lockExperience(tx, connection.experienceId);
      const numbers = await listAssignedNumbers(tx, connection.experienceId, ofAccount);
      const blocked = refuseAssignedNumbers(id, numbers);
      if (blocked) return blocked;
    }
    if (!(await removeConnection(scope, connection))) return refuseUnknown(requested, 'connections.delete.not-found');
    if (decisions['connections.delete.other-assignments'] === 'removed') {
      await removeAssignments(scope, await assignmentsOfConnection(tx, connection));
    }
    return { body: undefined };
  });
}

/** Deletes a connection, even if telephone numbers are assigned. @returns false if the connection did not exist */
export async function removeConnection(scope: WriteScope, connection: Omit<Connection, 'accountName'> & ExperienceFacts): Promise<boolean> {
  const { tx, context } = scope;
  if ((await deleteConnectionRow.executeWrite(tx, { id: connection.id })) === 0) return false;
  const now = context.clock.now();
  await publish(scope, listDeletionEvents(connection, now, context.decisions), formatInstant(now));
  return true;
}

async function findAndLock(tx: Executor, actor: Actor, id: string) {
  const found = await findConnection(tx, actor, id);
  // Another writer may have changed or deleted the connection before the lock.
  return found && (await lockAccount(tx, found.accountId)) ? findConnection(tx, actor, id) : found;
}
