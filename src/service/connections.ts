import type { Transaction } from 'kysely';
import type { Evidence } from '../contract/evidence.ts';
import { because, decided, isFailure } from '../contract/failure.ts';
import type { components } from '../contract/generated/service.ts';
import {
  type Actor,
  levelOf,
  NONE,
  principalOf,
  providerOf,
  refuseHidden,
  refuseReadOnly,
  refuseUnknown,
  tooLow,
  unknown,
} from '../domain/access.ts';
import {
  type ConnectionState,
  changeTo,
  creationEvents,
  deletionEvents,
  isBoundByNumbers,
  refuseAssignedNumbers,
  refuseConnection,
  refuseSameState,
} from '../domain/connections.ts';
import { connectionEvent, type ExperienceFacts } from '../domain/events.ts';
import { instant, nextInstant } from '../domain/instants.ts';
import { reportedPageSize, startOf } from '../domain/pages.ts';
import { accountAccess, lockAccount, numberAccess } from '../store/accounts.ts';
import { assignedNumbers, assignmentsOfConnection } from '../store/assignments.ts';
import {
  connectionAccess,
  connectionList,
  connectionOf,
  deleteConnectionRow,
  insertConnection,
  updateConnectionState,
} from '../store/connections.ts';
import type { Executor } from '../store/engine.ts';
import { experienceAccess } from '../store/experiences.ts';
import type { Tables } from '../store/schema.ts';
import { removeAssignments } from './assignments.ts';
import type { ServiceContext } from './context.ts';
import { publish } from './publish.ts';
import { writeOrDecideAgain } from './write.ts';

/** A connection as the API shows it (Resources › ExperienceConnection). The kit always sends every member. */
type Connection = Required<components['schemas']['ExperienceConnection']>;

interface ConnectionPage {
  entities: Connection[];
  cursor: string | null;
  pageSize: number;
}

export interface ConnectionsQuery {
  /** Selects the account. The number is ignored then. */
  readonly accountId?: string | undefined;
  /** Selects the account of the number. */
  readonly telephoneNumber?: string | undefined;
  readonly experienceId?: string | undefined;
  readonly cursor?: string | undefined;
  readonly pageSize: number;
}

/** GET /experience/connections. The oldest connection comes first unless decided otherwise. */
export async function listConnections(context: ServiceContext, actor: Actor, query: ConnectionsQuery) {
  const { store, decisions, cursors } = context;
  const { experienceId, cursor, pageSize } = query;
  const account = await selectAccount(context, actor, query);
  if (isFailure(account)) return account;
  const list = ['connections', account.id ?? query.accountId ?? query.telephoneNumber, experienceId].join('|');
  const start = startOf(decisions, cursor === undefined ? undefined : cursors.read(cursor, list));
  if (isFailure(start)) return start;
  const empty: ConnectionPage = { entities: [], cursor: null, pageSize: reportedPageSize(decisions, pageSize, 0) };
  if (account.id === undefined) return { body: empty, evidence: account.evidence };
  if (start.isEmpty) {
    const evidence: Evidence = { cause: 'cursor', problem: 'malformed' };
    return { body: empty, evidence };
  }

  const shape = {
    experience: experienceId !== undefined,
    descending: decisions['lists.order'] === 'newest-first',
    after: start.after !== undefined,
  };
  const rows = await connectionList(shape)(store.db, {
    accountId: account.id,
    experienceId: experienceId ?? '',
    providerId: providerOf(actor),
    after: start.after ?? '',
    limit: pageSize + 1,
  });
  const entities = rows.slice(0, pageSize);
  const body: ConnectionPage = {
    entities,
    cursor: rows.length > pageSize ? cursors.issue(list, [entities[pageSize - 1]!.id]) : null,
    pageSize: reportedPageSize(decisions, pageSize, entities.length),
  };
  if (rows.length > 0) return { body };
  const evidence: Evidence = start.after
    ? { cause: 'cursor', problem: 'at the end' }
    : { cause: 'empty list', of: 'connections', accountId: account.id, experienceId };
  return { body, evidence };
}

/** The account that the query selects; without an id if the caller may not see it and the decision is to show an empty list. */
async function selectAccount({ store, decisions }: ServiceContext, actor: Actor, { accountId, telephoneNumber = '' }: ConnectionsQuery) {
  const principalId = principalOf(actor);
  const byId = accountId !== undefined;
  const account = byId
    ? await accountAccess.first(store.db, { id: accountId, principalId })
    : await numberAccess.first(store.db, { number: telephoneNumber, principalId });
  if (account && levelOf(actor, account) !== NONE) return { id: account.accountId };
  const missing = byId ? unknown('account', accountId) : unknown('telephone number', telephoneNumber);
  const evidence = account ? tooLow(actor, 'read', account) : missing;
  const point = byId ? 'lists.hidden-account' : 'connections.list.unknown-number';
  if (decisions[point] === 'empty') return { id: undefined, evidence };
  return because(decided(point, byId ? 'There is no such account.' : 'No account has this number.'), evidence);
}

export interface NewConnection {
  readonly accountId: string;
  readonly experienceId: string;
  readonly state?: ConnectionState | undefined;
  /** The alias in the world; by default the id. */
  readonly alias?: string | undefined;
}

/** POST /experience/connections. */
export function createConnection(context: ServiceContext, actor: Actor, input: NewConnection) {
  return writeOrDecideAgain(context.store, (tx) => create(tx, context, actor, input));
}

async function create(tx: Transaction<Tables>, context: ServiceContext, actor: Actor, input: NewConnection) {
  const { decisions, clock, ids } = context;
  const { accountId, experienceId, state = decisions['connections.create.initial-state'] } = input;
  const experience = await experienceAccess.first(tx, { id: experienceId, providerId: providerOf(actor) });
  const account = await accountAccess.first(tx, { id: accountId, principalId: principalOf(actor) });
  await lockAccount(tx, accountId);
  const existing = await connectionOf.first(tx, { accountId, experienceId });
  const refusal = refuseConnection(actor, { accountId, experienceId }, { experience, account, existingId: existing?.id });
  if (refusal) return refusal;

  const { accountName } = account!;
  const connection: Connection = { id: ids.uuid(), accountId, accountName, experienceId, state, updatedAt: instant(clock.now()) };
  const { id, updatedAt } = connection;
  const row = { id, alias: input.alias ?? id, account_id: accountId, experience_id: experienceId, state, updated_at: updatedAt };
  await insertConnection(tx, row);
  await publish(tx, context, creationEvents({ ...experience!, ...connection }, decisions), updatedAt);
  return { connection, body: connection };
}

/** GET /experience/connections/{experienceConnectionId}. */
export async function readConnection({ store }: ServiceContext, actor: Actor, id: string) {
  const found = await find(store.db, actor, id);
  return refuseHidden(actor, { what: 'connection', id, access: found }, 'read', 'connections.get.not-found') ?? { body: shown(found!) };
}

/** PUT /experience/connections/{experienceConnectionId}, and the same in the portal (States and transitions, rows 1 to 3). */
export function updateConnection(context: ServiceContext, actor: Actor, id: string, state: ConnectionState) {
  return context.store.write(async (tx) => {
    const found = await findAndLock(tx, actor, id);
    const requested = { what: 'connection', id, access: found } as const;
    const refusal =
      refuseHidden(actor, requested, 'manage', 'connections.update.not-found') ??
      refuseReadOnly(actor, requested, 'connections.update.read-only');
    if (refusal) return refusal;
    const connection = found!;
    if (connection.state === state) {
      const isAllowed = actor.kind === 'portal' && context.decisions['portal.same-state'] === 'no-op';
      return isAllowed ? { body: shown(connection) } : refuseSameState(connection, state);
    }
    const now = context.clock.now();
    const updated = { ...connection, state, updatedAt: nextInstant(now, connection.updatedAt) };
    await updateConnectionState(tx, updated);
    await publish(tx, context, [connectionEvent(changeTo(state), updated)], instant(now));
    return { body: shown(updated) };
  });
}

/** DELETE /experience/connections/{experienceConnectionId}, and the removal in the portal (States and transitions, rows 4 and 5). */
export function deleteConnection(context: ServiceContext, actor: Actor, id: string) {
  const { decisions } = context;
  return context.store.write(async (tx) => {
    const found = await findAndLock(tx, actor, id);
    const requested = { what: 'connection', id, access: found } as const;
    const refusal =
      refuseHidden(actor, requested, 'manage', 'connections.delete.not-found') ??
      refuseReadOnly(actor, requested, 'connections.delete.read-only');
    if (refusal) return refusal;
    const connection = found!;
    if (isBoundByNumbers(actor, decisions)) {
      const numbers = await assignedNumbers({ of: decisions['connections.delete.blocking-numbers'] })(tx, connection);
      const blocked = refuseAssignedNumbers(id, numbers);
      if (blocked) return blocked;
    }
    if (!(await removeConnection(tx, context, connection))) return refuseUnknown(requested, 'connections.delete.not-found');
    if (decisions['connections.delete.other-assignments'] === 'removed') {
      await removeAssignments(tx, context, await assignmentsOfConnection(tx, connection));
    }
    return { body: undefined };
  });
}

/** Deletes a connection, even with assigned numbers, and publishes the deletion. @returns whether it existed */
export async function removeConnection(
  tx: Executor,
  context: ServiceContext,
  connection: Omit<Connection, 'accountName'> & ExperienceFacts,
): Promise<boolean> {
  if ((await deleteConnectionRow.change(tx, { id: connection.id })) === 0) return false;
  const now = context.clock.now();
  await publish(tx, context, deletionEvents(connection, now, context.decisions), instant(now));
  return true;
}

function find(db: Executor, actor: Actor, id: string) {
  return connectionAccess.first(db, { id, providerId: providerOf(actor), principalId: principalOf(actor) });
}

async function findAndLock(tx: Executor, actor: Actor, id: string) {
  const found = await find(tx, actor, id);
  // While this writer waited for the lock, the connection may have been changed or deleted.
  return found && (await lockAccount(tx, found.accountId)) ? find(tx, actor, id) : found;
}

function shown({ id, accountId, accountName, experienceId, state, updatedAt }: Connection): Connection {
  return { id, accountId, accountName, experienceId, state, updatedAt };
}
