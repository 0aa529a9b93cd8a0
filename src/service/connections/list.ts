import { because, type Evidence } from '../../contract/evidence.ts';
import { decided } from '../../contract/outcome.ts';
import { type Actor, accountLevel, NONE } from '../../domain/access.ts';
import { accountAccess, numberAccess } from '../../store/access.ts';
import { connectionList } from '../../store/connections.ts';
import type { ServiceContext } from '../context.ts';
import { tooLow, unknown } from '../judged.ts';
import { saidPageSize, startOf } from '../page.ts';
import { principalOf, providerOf } from '../target.ts';
import { type Connection, connectionFrom } from './entity.ts';

export interface ConnectionsQuery {
  /** Selects the account; the number is then ignored. */
  readonly accountId?: string | undefined;
  /** Selects the account that owns the number. */
  readonly telephoneNumber?: string | undefined;
  readonly experienceId?: string | undefined;
  readonly cursor?: string | undefined;
  readonly pageSize: number;
}

export interface ConnectionPage {
  entities: Connection[];
  cursor: string | null;
  pageSize: number;
}

/** GET /experience/connections: what the caller sees of it, oldest first unless decided otherwise. */
export async function listConnections(context: ServiceContext, actor: Actor, query: ConnectionsQuery) {
  const { decisions, store } = context;
  const { experienceId, pageSize } = query;
  const account = await selectAccount(context, actor, query);
  if ('decided' in account) return account;
  const list = ['connections', account.id ?? query.accountId ?? query.telephoneNumber, experienceId].join('|');
  const start = startOf(context, list, query.cursor);
  if ('decided' in start) return start;
  const empty: ConnectionPage = { entities: [], cursor: null, pageSize: saidPageSize(context, pageSize, 0) };
  if (account.id === undefined) return { body: empty, evidence: account.evidence };
  if (start.empty) {
    const evidence: Evidence = { cause: 'cursor', problem: 'malformed' };
    return { body: empty, evidence };
  }

  const after = start.position?.[0];
  const shape = {
    experience: experienceId !== undefined,
    descending: decisions['lists.order'] === 'newest-first',
    after: after !== undefined,
  };
  const rows = await connectionList(shape)(store.db, {
    accountId: account.id,
    experienceId: experienceId ?? '',
    providerId: providerOf(actor),
    after: after ?? '',
    limit: pageSize + 1,
  });
  const shown = rows.slice(0, pageSize);
  const body: ConnectionPage = {
    entities: shown.map(connectionFrom),
    cursor: rows.length > pageSize ? context.cursors.issue(list, [shown[pageSize - 1]!.id]) : null,
    pageSize: saidPageSize(context, pageSize, shown.length),
  };
  if (rows.length > 0) return { body };
  const evidence: Evidence = after
    ? { cause: 'cursor', problem: 'at the end' }
    : { cause: 'empty list', of: 'connections', accountId: account.id, experienceId };
  return { body, evidence };
}

/** The account that the query selects; no id where the caller sees none and the decision is to show nothing. */
async function selectAccount(context: ServiceContext, actor: Actor, { accountId, telephoneNumber }: ConnectionsQuery) {
  const principalId = principalOf(actor);
  const row =
    accountId !== undefined
      ? await accountAccess.first(context.store.db, { id: accountId, principalId })
      : await numberAccess.first(context.store.db, { number: telephoneNumber ?? '', principalId });
  if (row && accountLevel(actor, row.level) !== NONE) return { id: row.account_id };
  const evidence = row
    ? tooLow(actor, 'read', { account: { id: row.account_id, level: row.level } })
    : accountId !== undefined
      ? unknown('account', accountId)
      : unknown('telephone number', telephoneNumber ?? '');
  const point = accountId !== undefined ? 'lists.hidden-account' : 'connections.list.unknown-number';
  if (context.decisions[point] !== 'empty')
    return because(decided(point, accountId !== undefined ? 'There is no such account.' : 'No account has this number.'), evidence);
  return { id: undefined, evidence };
}
