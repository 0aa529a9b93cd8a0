import { Pool } from 'undici';
import { bodyOf, type Request } from './http.ts';

/** What the load generator sends. Each connection sends its next request as soon as it has the response to the previous one. */
export interface Job {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The expected status of every response. A response with another status ends the measurement with an error. */
  readonly expect: number;
  /** The requests are sent in this order, again and again. */
  readonly requests: readonly Request[];
  /** Replaces the placeholder in request bodies by consecutive numbers that start with `from`, so that each body is different. */
  readonly serial?: { readonly placeholder: string; readonly from: number };
}

export interface Load {
  readonly requests: number;
  /** The time from the first request to the last response. */
  readonly seconds: number;
  readonly error?: string;
}

process.on('message', (job: Job) => {
  run(job).then(
    (load) => process.send!(load),
    (error: Error) => process.send!({ requests: 0, seconds: 0, error: error.message } satisfies Load),
  );
});
process.on('disconnect', () => process.exit());

async function run({ port, connections, seconds, expect, requests, serial }: Job): Promise<Load> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
  let sent = 0;
  const next = (): Request => {
    const request = requests[sent % requests.length]!;
    const body = serial && request.body?.replace(serial.placeholder, String(serial.from + sent));
    sent++;
    return body === undefined ? request : { ...request, body };
  };
  const start = performance.now();
  const deadline = start + seconds * 1000;
  const sendInTurn = async () => {
    while (performance.now() < deadline) {
      const request = next();
      // Prism sometimes closes a connection that is in use, so a failed request is sent a second time.
      const response = pool.request(request).catch(() => pool.request(request));
      await bodyOf(response, expect);
    }
  };
  await Promise.all(Array.from({ length: connections }, sendInTurn));
  const took = (performance.now() - start) / 1000;
  await pool.close();
  return { requests: sent, seconds: took };
}
