import { type Dispatcher, request } from 'undici';

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The expected status, if it differs from the load's default. */
  readonly expect?: number;
}

/** Stands for a number in a request's body that is different in every request. */
export const NUMBER_PLACEHOLDER = 'NATIONAL##';

export const get = (path: string, token: string): Request => ({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } });

export function post(path: string, body: object, token = ''): Request {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}

/** @throws Error if the response does not have the expected status */
export async function readBody(response: Promise<Dispatcher.ResponseData>, expected: number): Promise<string> {
  const { statusCode, body } = await response;
  const text = await body.text();
  if (statusCode !== expected) throw new Error(`expected a response with the status ${expected}, got ${statusCode}: ${text.slice(0, 500)}`);
  return text;
}

/** @throws Error if the response has an unexpected status */
export function send(port: number, { path, expect = 200, ...options }: Request): Promise<string> {
  return readBody(request(`http://127.0.0.1:${port}${path}`, options), expect);
}

/**
 * Prepares requests for at most `count` pages, spread evenly over a list.
 * @param path the list's path and query, without a cursor
 */
export async function createPageRequests(port: number, path: string, token: string, count: number): Promise<Request[]> {
  const pages: Request[] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const page = get(next, token);
    pages.push(page);
    const { cursor } = JSON.parse(await send(port, page)) as { cursor: string | null };
    next = cursor === null ? undefined : `${path}&cursor=${cursor}`;
  }
  const step = Math.max(1, pages.length / count);
  return Array.from({ length: Math.min(count, pages.length) }, (_, i) => pages[Math.floor(i * step)]!);
}
