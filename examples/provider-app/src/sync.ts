import { setTimeout as delay } from 'node:timers/promises';
import type { Logins } from './login.ts';
import { getResponseData, readList, type Service, ServiceError } from './service.ts';
import type { View } from './view.ts';

/** Reads the service's lists into the view when a customer has connected or the view is lost. */
export function createSync(services: (accountId: string) => Service, logins: Logins, view: View) {
  async function readConnections(accountId: string): Promise<void> {
    const api = services(accountId);
    const { items } = await readList((cursor) => api.GET('/experience/connections', { params: { query: { accountId, ...cursor } } }));
    view.putAll(
      items.flatMap(({ id, state = null, updatedAt }) => (id && updatedAt ? { kind: 'connection', id, accountId, state, updatedAt } : [])),
    );
  }

  async function readAssignments(accountId: string): Promise<void> {
    const api = services(accountId);
    // Assignments from the path without /experience may lack `updatedAt`.
    const { items } = await readList((cursor) => api.GET('/experience/assignments', { params: { query: { accountId, ...cursor } } }));
    view.putAll(
      items.flatMap(({ id, updatedAt }) => (updatedAt ? { kind: 'assignment', id, accountId, state: 'PRESENT', updatedAt } : [])),
    );
  }

  /** Reads the users. The list may lag behind the events, so it is read again if its count differs from the stored users. */
  async function readUsers(accountId: string): Promise<void> {
    const api = services(accountId);
    for (let attempt = 1; ; attempt++) {
      const { items, last } = await readList((cursor) => api.GET('/users', { params: { query: { accountId, pageSize: 100, ...cursor } } }));
      view.putAll(
        items.map(({ id, createdAt, updatedAt }) => ({ kind: 'user', id, accountId, state: 'PRESENT', updatedAt: updatedAt ?? createdAt })),
      );
      const { [accountId]: known = [] } = view.state().users;
      if (last.count === undefined || last.count === known.length) return;
      if (attempt === 3) return removeDeleted(api, accountId, new Set(items.map(({ id }) => id)));
      await delay(attempt * 1000);
    }
  }

  /** Removes users that no longer exist. GET /users/{userId} is always current, unlike the list. */
  async function removeDeleted(api: Service, accountId: string, listed: ReadonlySet<string>): Promise<void> {
    for (const user of view.list('user')) {
      if (user.accountId !== accountId || listed.has(user.id)) continue;
      try {
        await getResponseData(api.GET('/users/{userId}', { params: { path: { userId: user.id } } }));
      } catch (error) {
        if (!(error instanceof ServiceError) || error.status !== 404) throw error;
        view.putAll([{ ...user, state: 'DELETED' }]);
      }
    }
  }

  async function readAccount(accountId: string): Promise<void> {
    await readConnections(accountId);
    await readAssignments(accountId);
    await readUsers(accountId);
  }

  return {
    readAccount,
    /** Clears the view and reads all lists. If an event arrives meanwhile, the data with the newer `updatedAt` wins. */
    async rebuild(): Promise<void> {
      view.clear();
      for (const accountId of logins.accounts()) await readAccount(accountId);
    },
  };
}
