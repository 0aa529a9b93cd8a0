import { because, type Evidence } from '../../contract/evidence.ts';
import { type Json, refuse } from '../../contract/outcome.ts';
import { type Actor, accountLevel, NONE } from '../../domain/access.ts';
import { accountAccess } from '../../store/access.ts';
import type { PageRow } from '../../store/prepared.ts';
import { type SortColumn, userCount, userList } from '../../store/users.ts';
import type { ServiceContext } from '../context.ts';
import { tooLow, unknown } from '../judged.ts';
import { pageOf, saidPageSize } from '../page.ts';
import { principalOf } from '../target.ts';
import type { User } from './entity.ts';

export const SORT_COLUMNS = { createdAt: 'created_at', updatedAt: 'updated_at', firstName: 'first_name', lastName: 'last_name' } as const;
export type SortField = keyof typeof SORT_COLUMNS;

export interface UsersQuery {
  readonly accountId: string;
  readonly sortBy?: SortField | undefined;
  readonly sortOrder?: 'asc' | 'desc' | undefined;
  readonly cursor?: string | undefined;
  readonly pageSize: number;
}

export interface UserPage {
  entities: User[];
  cursor: string | null;
  pageSize: number;
  count?: number;
}

/** GET /users: the users of an account as the read model shows them, with their count across all pages. */
export async function listUsers(context: ServiceContext, actor: Actor, query: UsersQuery) {
  const { accountId, pageSize, sortBy = 'createdAt', sortOrder = 'asc' } = query;
  if (sortBy !== 'createdAt' && context.decisions['users.list.sort-fields'] === 'createdAt') {
    const errors = [{ pointer: '?sortBy', message: 'must be createdAt' }];
    return refuse(400, 'users.list.sort-by-allowed', `The list cannot be sorted by ${sortBy}.`, errors);
  }
  const { store, decisions } = context;
  const list = ['users', accountId, sortBy, sortOrder].join('|');
  const start = query.cursor === undefined ? { position: [] } : context.cursors.read(query.cursor, list);
  if ('problem' in start) return refuseCursor(start.problem === 'malformed' ? [] : start.of.split('|'), query);

  const account = await accountAccess.first(store.db, { id: accountId, principalId: principalOf(actor) });
  if (!account || accountLevel(actor, account.level) === NONE) {
    const body: UserPage = { entities: [], cursor: null, pageSize: saidPageSize(context, pageSize, 0) };
    const evidence = account ? tooLow(actor, 'read', { account: { id: accountId, level: account.level } }) : unknown('account', accountId);
    return { body: decisions['users.list.count-hidden-account'] === 'absent' ? body : { ...body, count: 0 }, evidence };
  }
  const now = context.clock.now();
  const column: SortColumn = SORT_COLUMNS[sortBy];
  const [key, id] = start.position;
  const shape = { column, descending: sortOrder === 'desc', after: id !== undefined };
  return store.read(async (db): Promise<{ body: Json<UserPage>; evidence?: Evidence }> => {
    const rows = await userList(shape).tuples<PageRow>(db, { accountId, now, key: key ?? '', id: id ?? '', limit: pageSize + 1 });
    const body = pageOf<UserPage>(context, list, rows, pageSize, await userCount(db, accountId, now));
    if (rows.length > 0) return { body };
    return { body, evidence: id ? { cause: 'cursor', problem: 'at the end' } : { cause: 'empty list', of: 'users', accountId } };
  });
}

/** @param of what the cursor was issued for, as far as it is one: list, account, sort field, sort order. */
function refuseCursor(of: readonly string[], query: UsersQuery) {
  const errors = [{ pointer: '?cursor', message: 'must be the cursor of the previous page of the same account, sortBy and sortOrder' }];
  const [name, accountId, sortBy] = of;
  const evidence: Evidence =
    of.length === 0 ? { cause: 'cursor', problem: 'malformed' } : { cause: 'cursor', problem: 'other list', issuedFor: of.join(' ') };
  if (name !== 'users')
    return because(refuse(400, 'users.list.cursor-malformed', 'This is not a cursor of the users list.', errors), evidence);
  if (accountId !== query.accountId)
    return because(refuse(400, 'users.list.cursor-other-account', 'The cursor was issued for another account.', errors), evidence);
  if (sortBy !== (query.sortBy ?? 'createdAt')) {
    return because(refuse(400, 'users.list.cursor-other-sort-by', 'The cursor was issued for another sort field.', errors), evidence);
  }
  return because(refuse(400, 'users.list.cursor-other-sort-order', 'The cursor was issued for another sort order.', errors), evidence);
}
