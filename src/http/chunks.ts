import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/**
 * Sends a text in chunks, one at a time as the client reads. Disconnects slow clients, because the text may come from a transaction that
 * blocks writes.
 * @param patienceMs the maximum wall time to read a chunk, in milliseconds
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
    // The client must also read the last bytes in time.
    const timer = setTimeout(() => res.destroy(), patienceMs);
    res.once('close', () => clearTimeout(timer));
  }
  try {
    await pipeline(chunks, res);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
