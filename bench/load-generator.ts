import { Client } from './http.ts';

/** Tells the load generator what to send. Each connection sends the next request as soon as it has the answer. */
export interface Job {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The expected status. Any other ends the measurement. */
  readonly expect: number;
  /** Raw requests, sent in turn. */
  readonly requests: readonly string[];
  /** Replaces the placeholder in each request by the next number, starting with `from`. Both must have the same length. */
  readonly serial?: { readonly placeholder: string; readonly from: number } | undefined;
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
  let sent = 0;
  const next = (): string => {
    const text = requests[sent % requests.length]!;
    const request = serial ? text.replace(serial.placeholder, String(serial.from + sent)) : text;
    sent++;
    return request;
  };
  const start = performance.now();
  const deadline = start + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(port);
      while (performance.now() < deadline) {
        const { status, body } = await client.send(next());
        if (status !== expect) throw new Error(`${status} instead of ${expect}: ${body.toString('utf8', 0, 500)}`);
      }
      client.close();
    }),
  );
  return { requests: sent, seconds: (performance.now() - start) / 1000 };
}
