import { Pool } from 'undici';
import { bodyOf, type Request } from './http.ts';

/** Tells the load generator what to send. Each connection sends the next request as soon as it has the answer. */
export interface Job {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The expected status. Any other ends the measurement. */
  readonly expect: number;
  /** Sent in turn. */
  readonly requests: readonly Request[];
  /** Replaces the placeholder in the body of each request by the next number, starting with `from`. */
  readonly serial?: { readonly placeholder: string; readonly from: number };
}

export interface Load {
  readonly requests: number;
  /** From the first request to the last response. */
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
  const lane = async () => {
    while (performance.now() < deadline) {
      const request = next();
      // Prism sometimes closes a connection that is in use.
      const response = pool.request(request).catch(() => pool.request(request));
      await bodyOf(response, expect);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  const took = (performance.now() - start) / 1000;
  await pool.close();
  return { requests: sent, seconds: took };
}
