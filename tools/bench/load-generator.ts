import { Pool } from 'undici';
import { NUMBER_PLACEHOLDER, type Request, readBody } from './http.ts';

/** Each connection sends its next request when the previous response is complete. */
export interface LoadJob {
  /** Each port gets an equal share of the connections. */
  readonly ports: readonly number[];
  readonly connections: number;
  readonly seconds: number;
  /** The expected status of requests that do not set their own. An unexpected status ends the measurement with an error. */
  readonly expect: number;
  /** The requests, in sending order. After the last, the generator starts again. */
  readonly requests: readonly Request[];
  /** Replaces `NUMBER_PLACEHOLDER` in the request bodies with consecutive numbers, starting at this number. */
  readonly firstNumber: number;
}

export interface LoadResult {
  readonly requests: number;
  /** The time, in seconds, from the first request to the last response. */
  readonly seconds: number;
  /** The 99th percentile of response times, in milliseconds. */
  readonly p99: number;
  readonly error?: string;
}

process.on('message', (job: LoadJob) => {
  generateLoad(job).then(
    (load) => process.send!(load),
    (error: Error) => process.send!({ requests: 0, seconds: 0, p99: 0, error: error.message } satisfies LoadResult),
  );
});
process.on('disconnect', () => process.exit());

async function generateLoad({ ports, connections, seconds, expect, requests, firstNumber }: LoadJob): Promise<LoadResult> {
  const pools = ports.map((port) => new Pool(`http://127.0.0.1:${port}`, { connections }));
  let sent = 0;
  const nextRequest = (): Request => {
    const request = requests[sent % requests.length]!;
    const body = request.body?.replace(NUMBER_PLACEHOLDER, String(firstNumber + sent));
    sent++;
    return body === undefined ? request : { ...request, body };
  };
  const durations: number[] = [];
  const start = performance.now();
  const deadline = start + seconds * 1000;
  const sendInTurn = async (pool: Pool) => {
    while (performance.now() < deadline) {
      const { expect: expected = expect, ...request } = nextRequest();
      const begin = performance.now();
      // Repeat a failed request once, because Prism sometimes closes a connection that is in use.
      const response = pool.request(request).catch(() => pool.request(request));
      await readBody(response, expected);
      durations.push(performance.now() - begin);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => sendInTurn(pools[index % pools.length]!)));
  const took = (performance.now() - start) / 1000;
  await Promise.all(pools.map((pool) => pool.close()));
  durations.sort((a, b) => a - b);
  return { requests: sent, seconds: took, p99: durations[Math.floor(durations.length * 0.99)] ?? 0 };
}
