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
} from '../domain/access.ts';
import { findPageStart, getReportedPageSize } from '../domain/pages.ts';
import { accountAccess, numberAccess } from '../store/accounts.ts';
import { connectionAccess, connectionPage } from '../store/connections.ts';
import type { Executor } from '../store/engine.ts';
import type { ServiceContext } from './context.ts';

/** A connection as the API returns it (Resources › ExperienceConnection). */
export type Connection = Required<components['schemas']['ExperienceConnection']>;

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

  const params = { accountId: account.id, experienceId, providerId: getProviderId(actor), after: start.after, limit: pageSize + 1 };
  const rows = await connectionPage(params, decisions['lists.order'] === 'newest-first' ? 'desc' : 'asc')(await getListDatabase(), params);
  const entities = rows.slice(0, pageSize);
  const body: ConnectionPage = {
    entities,
    cursor: rows.length > pageSize ? cursors.issue(list, [entities[pageSize - 1]!.id]) : null,
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

export function findConnection(db: Executor, actor: Actor, id: string) {
  return connectionAccess.first(db, { id, providerId: getProviderId(actor), principalId: getPrincipalId(actor) });
}

export function toConnection({ id, accountId, accountName, experienceId, state, updatedAt }: Connection): Connection {
  return { id, accountId, accountName, experienceId, state, updatedAt };
}
