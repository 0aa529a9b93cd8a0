import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/**
 * Sends a text in chunks, with status 200. Generates the next chunk only when the client has received the previous chunk, so that a large
 * body needs little memory. Disconnects a client that reads too slowly, because the body may come from a transaction that blocks writes. If
 * the client disconnects, the generator is closed. If generating the first chunk throws an error, nothing has been sent. @param type the
 * text's media type @param patienceMs the maximum time for the client to read a chunk, in milliseconds of wall time
 */
export async function sendChunks(
  res: ServerResponse,
  body: AsyncGenerator<string, void>,
  type = 'application/json',
  patienceMs = 5_000,
): Promise<void> {
  const first = await body.next();
  res.writeHead(200, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' });
  async function* chunks() {
    for (let next = first; !next.done; next = await body.next()) {
      const timer = setTimeout(() => res.destroy(), patienceMs);
      try {
        yield next.value;
      } finally {
        clearTimeout(timer);
      }
    }
  }
  try {
    await pipeline(chunks, res);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
