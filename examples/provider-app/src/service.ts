import { setTimeout as delay } from 'node:timers/promises';
import createClient, { type Client } from 'openapi-fetch';
import type { Config } from './config.ts';
import type { components, paths } from './generated/service.d.ts';
import type { Logins } from './login.ts';

export type Service = Client<paths>;
type Problem = components['schemas']['Problem'];

/** Thrown if the service refuses a request or is not available. */
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

const MAX_ATTEMPTS = 5;

/** Returns a function that creates a service client with an account's login. */
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
    // Wait for the time in Retry-After. Without Retry-After, double the wait each time. Repeat a change only after 429, because after other
    // errors it may have succeeded.
    const isTemporary = response.status === 429 || (response.status === 503 && request.method === 'GET');
    if (!isTemporary || attempt === MAX_ATTEMPTS) return response;
    await response.body?.cancel();
    const seconds = Number(response.headers.get('retry-after')) || 2 ** (attempt - 1);
    await delay(seconds * 1000 + Math.random() * 250);
    return send(accountId, request, attempt + 1, mayRenew);
  }
  return (accountId) => createClient<paths>({ baseUrl: serviceUrl, fetch: (request) => send(accountId, request) });
}

type Call<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** Returns a successful response's data. Returns undefined if the response has no body. @throws ServiceError */
export async function getResponseData<T>(call: Call<T>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ServiceError(response, error as Problem | undefined);
  return data as T;
}

interface Page {
  readonly entities: readonly unknown[];
  readonly cursor?: string | null;
}

/**
 * Reads all pages of a list. If the service refuses a cursor, starts again once.
 * @param read requests one page
 * @returns the items and the last page
 */
export async function readList<P extends Page>(
  read: (page: { cursor?: string }) => Call<P>,
  mayRestart = true,
): Promise<{ items: P['entities'][number][]; last: P }> {
  let last = await getResponseData(read({}));
  const items = [...last.entities];
  while (last.cursor) {
    try {
      last = await getResponseData(read({ cursor: last.cursor }));
    } catch (error) {
      if (mayRestart && error instanceof ServiceError && error.status === 400) return readList(read, false);
      throw error;
    }
    items.push(...last.entities);
  }
  return { items, last };
}
