import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/**
 * Sends a text with status 200, in chunks. Asks for the next chunk only when the client has taken the previous one, so that a large body
 * needs little memory. Disconnects a client that does not take a chunk in time, because a body may come from a transaction, which lets
 * writers wait. A client that disconnects ends the body. An error before the first chunk is thrown before anything was sent.
 * @param type the media type of the text
 * @param patienceMs the time that the client has for each chunk, in milliseconds of wall time
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
