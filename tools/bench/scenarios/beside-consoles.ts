import { request } from 'undici';
import { get, send } from '../http.ts';
import { startKit } from '../processes.ts';
import type { Options, Row } from '../report.ts';
import { compareContenders } from '../rounds.ts';
import { ACCOUNT_ID } from '../world.ts';

const CONSOLE_COUNT = 3;
/** A console reads new requests at most once in this interval, in milliseconds. */
const READ_INTERVAL_MS = 1000;

export async function measureBesideConsoles(options: Options, log: (text: string) => void): Promise<Row[]> {
  await using followed = await startKit({ clients: 1 });
  await using alone = await startKit({ clients: 1 });
  await using cleanup = new AsyncDisposableStack();
  for (let n = 0; n < CONSOLE_COUNT; n++) cleanup.defer(await followEvents(followed.port));
  const contenders = [
    { name: 'three consoles', server: followed },
    { name: 'no console', server: alone },
  ].map(({ name, server }) => ({ name, server, requests: [get(`/users?accountId=${ACCOUNT_ID}`, server.tokens[0]!)] }));
  const figures = (await compareContenders(contenders, options, log))('three consoles', 'no console');
  return [{ what: 'requests with three consoles open', against: 'no console', unit: 'x', figures, target: { atLeast: 0.95 } }];
}

/** Follows the stream and reads new requests, like the console's requests page. A browser would need too much CPU time. */
async function followEvents(port: number): Promise<() => void> {
  const { body } = await request(`http://127.0.0.1:${port}/_control/stream?only=journal,events,deliveries`, {
    bodyTimeout: 0,
    headersTimeout: 0,
  });
  let [seen, readAt, isOver] = [0, -Infinity, false];
  const readNewRequests = async () => {
    for await (const chunk of body) {
      const newest = Number(/"newest":(\d+)/.exec(String(chunk))?.[1] ?? seen);
      if (newest === seen || performance.now() - readAt < READ_INTERVAL_MS) continue;
      await send(port, { method: 'GET', path: `/_control/requests?since=${seen}&view=summary&limit=120`, headers: {} });
      seen = newest;
      readAt = performance.now();
    }
  };
  readNewRequests().catch((error: unknown) => {
    if (!isOver) throw error;
  });
  return () => {
    isOver = true;
    body.destroy();
  };
}
