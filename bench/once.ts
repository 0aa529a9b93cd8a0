import { Connection } from './load/connection.ts';
import { type Request, requestText } from './load/request.ts';

/** The text of one answer, which has to be 200. */
export async function askOnce(port: number, request: Request): Promise<string> {
  const connection = new Connection(port);
  try {
    const { status, body } = await connection.send(requestText(request));
    if (status !== 200) throw new Error(`${request.path}: ${status} ${body}`);
    return body.toString();
  } finally {
    connection.close();
  }
}

/** Requires that two servers answer a request with the same bytes: only then are they compared. */
export async function sameBytes(ports: readonly number[], request: Request): Promise<void> {
  const [text, ...others] = await Promise.all(ports.map((port) => askOnce(port, request)));
  if (others.some((other) => other !== text)) throw new Error(`${request.path}: not all answer the same bytes`);
}

/**
 * Requests for the pages of a list, found by following the cursor to the end: at most `kept` of them, evenly spread over the list.
 * @param path with a query, but without a cursor.
 */
export async function pageRequests(port: number, path: string, token: string, kept: number): Promise<string[]> {
  const connection = new Connection(port);
  const paths: string[] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    paths.push(next);
    const { status, body } = await connection.send(requestText({ path: next, token }));
    if (status !== 200) throw new Error(`${next}: ${status} ${body}`);
    const { cursor } = JSON.parse(body.toString()) as { cursor: string | null };
    next = cursor === null ? undefined : `${path}&cursor=${cursor}`;
  }
  connection.close();
  const step = Math.max(1, paths.length / kept);
  const spread = Array.from({ length: Math.min(kept, paths.length) }, (_, i) => paths[Math.floor(i * step)]!);
  return spread.map((page) => requestText({ path: page, token }));
}
