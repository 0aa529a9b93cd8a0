import { type Dispatcher, request } from 'undici';

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const get = (path: string, token: string): Request => ({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } });

export function post(path: string, body: object, token = ''): Request {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}

/** The body of a response, which must have the expected status. */
export async function bodyOf(response: Promise<Dispatcher.ResponseData>, expected: number): Promise<string> {
  const { statusCode, body } = await response;
  const text = await body.text();
  if (statusCode !== expected) throw new Error(`${statusCode} instead of ${expected}: ${text.slice(0, 500)}`);
  return text;
}

/** The body of a response, which must have status 200. */
export function send(port: number, { path, ...options }: Request): Promise<string> {
  return bodyOf(request(`http://127.0.0.1:${port}${path}`, options), 200);
}

/**
 * Requests for at most `count` pages of a list, evenly spread over the list. Follows the cursor to the end to find the pages.
 * @param path with a query, but without a cursor
 */
export async function pageRequests(port: number, path: string, token: string, count: number): Promise<Request[]> {
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
