import { isRefused } from '../contract/outcome.ts';
import { listUsers, type SortField } from '../service/users/list.ts';
import { readUser } from '../service/users/read.ts';
import type { Handlers } from './handler.ts';
import { pageSizeOf } from './page-size.ts';

/** Endpoints › /users. */
export const users: Pick<Handlers, 'getUsers' | 'getUser'> = {
  async getUsers({ actor, query }, context) {
    const result = await listUsers(context, actor, {
      accountId: query.accountId,
      cursor: query.cursor,
      pageSize: pageSizeOf(query.pageSize, 200),
      // The query's schema lets only these through; the parameter list cannot say so, as the specification does not show them.
      sortBy: query.sortBy as SortField | undefined,
      sortOrder: query.sortOrder as 'asc' | 'desc' | undefined,
    });
    return isRefused(result) ? result : { status: 200, body: result.body, evidence: result.evidence };
  },
  async getUser({ actor, path }, context) {
    const result = await readUser(context, actor, path.userId);
    return isRefused(result) ? result : { status: 200, body: result.body };
  },
};
