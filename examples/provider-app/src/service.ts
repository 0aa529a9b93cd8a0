import { setTimeout as delay } from 'node:timers/promises';
import createClient, { type Client } from 'openapi-fetch';
import type { Config } from './config.ts';
import type { Logins } from './login.ts';
import type { components, paths } from './service-api.d.ts';

export type Service = Client<paths>;
type Problem = components['schemas']['Problem'];

/** The service refused a request, or is not available. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  readonly traceId: string | undefined;

  constructor({ status, url }: Response, problem: Problem | undefined) {
    super(`${new URL(url).pathname}: ${status} ${problem?.detail ?? problem?.title ?? ''}`);
    this.status = status;
    this.traceId = problem?.traceId;
  }
}

const ATTEMPTS = 5;

/** Returns a function that creates a client of the service for one customer account, with the login of that account. */
export function createServices({ serviceUrl }: Config, logins: Logins): (accountId: string) => Service {
  async function send(accountId: string, request: Request, attempt = 1, mayRenew = true): Promise<Response> {
    const token = await logins.accessToken(accountId);
    request.headers.set('authorization', `Bearer ${token}`);
    const response = await fetch(request.clone());
    if (response.status === 401 && mayRenew) {
      await response.body?.cancel();
      await logins.renew(accountId, token);
      return send(accountId, request, attempt, false);
    }
    // Wait as long as the service asks, and longer after each attempt. A request that changes something is sent once, except after 429.
    const isTemporary = response.status === 429 || (response.status === 503 && request.method === 'GET');
    if (!isTemporary || attempt === ATTEMPTS) return response;
    await response.body?.cancel();
    const seconds = Number(response.headers.get('retry-after')) || 2 ** (attempt - 1);
    await delay(seconds * 1000 + Math.random() * 250);
    return send(accountId, request, attempt + 1, mayRenew);
  }
  return (accountId) => createClient<paths>({ baseUrl: serviceUrl, fetch: (request) => send(accountId, request) });
}

type Call<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** Returns the data of a successful response, which is undefined if the response has no body. @throws ServiceError */
export async function dataOf<T>(call: Call<T>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ServiceError(response, error as Problem | undefined);
  return data as T;
}

interface Page {
  readonly entities: readonly unknown[];
  readonly cursor?: string | null;
}

/**
 * Reads a whole list: every page until the cursor is null. Starts again once, without a cursor, if the service refuses a cursor.
 * @param read requests one page, with the cursor of the previous page
 * @returns the items, and the last page, which contains the count of a list of users
 */
export async function readList<P extends Page>(
  read: (page: { cursor?: string }) => Call<P>,
  mayRestart = true,
): Promise<{ items: P['entities'][number][]; last: P }> {
  let last = await dataOf(read({}));
  const items = [...last.entities];
  while (last.cursor) {
    try {
      last = await dataOf(read({ cursor: last.cursor }));
    } catch (error) {
      if (mayRestart && error instanceof ServiceError && error.status === 400) return readList(read, false);
      throw error;
    }
    items.push(...last.entities);
  }
  return { items, last };
}
