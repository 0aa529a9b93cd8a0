import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ACCOUNT, type KitProcess, send, startKit, writeWorld } from './kits.ts';
import { BAD, type Endpoint, REDIRECTED, startEndpoint } from './receivers.ts';
import type { Report } from './report.ts';

/** One of the two kits that are compared, and the deliveries to the healthy subscribers of the kit. */
interface Side {
  readonly kit: KitProcess;
  /** The milliseconds from the timestamp of an event to its first arrival, by user and subscriber. */
  readonly arrivals: Map<string, number>;
}

const HEALTHY = 9;
const WARM_UP = 200;
/**
 * The interval between events. The interval is long enough that no queue builds up, so that the measurement shows the latency of deliveries
 * alone.
 */
const EVERY_MS = 50;
const PATIENCE_MS = 20_000;
/** The maximum ratio of two latencies: the 99th percentile with bad receivers, divided by the 99th percentile without bad receivers. */
const MOST_RATIO = 1.5;
/** The maximum number of megabytes that a kit may read of a huge response body, including the buffers of its sockets. */
const MOST_TAKEN_MB = 32;

/**
 * Runs two kits with nine healthy subscribers each, and compares how fast the healthy subscribers get events. One of the kits also has bad
 * subscribers, which never answer, reset the connection, answer slowly, send a huge body, or redirect. The kits run at the same time, so
 * that other load on the machine slows down both of them.
 */
export async function neighbours(events: number, log: (text: string) => void): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-'));
  const endpoints: Endpoint[] = [];
  const sides: Side[] = [];
  const followed: string[] = [];
  const tooMuch: string[] = [];
  let attempts = 0;

  const start = async (...options: Parameters<typeof startEndpoint>): Promise<string> => {
    const endpoint = await startEndpoint(...options);
    endpoints.push(endpoint);
    return endpoint.url;
  };
  const startHealthy = (arrivals: Side['arrivals'], n: number) =>
    start((body, response) => {
      const { timestamp, data } = JSON.parse(body) as { timestamp: string; data: { userId: string } };
      const key = `${data.userId} ${n}`;
      if (!arrivals.has(key)) arrivals.set(key, Date.now() - Date.parse(timestamp));
      response.writeHead(204).end();
    });

  try {
    for (let n = 0; n < 2; n++) {
      const arrivals: Side['arrivals'] = new Map();
      const urls = await Promise.all(Array.from({ length: HEALTHY }, (_, index) => startHealthy(arrivals, index)));
      const args = ['--fixtures', writeWorld(folder, urls), '--set', 'events.delivery.retry-schedule=fast'];
      sides.push({ kit: await startKit(args, log), arrivals });
    }
    await publish(sides, WARM_UP);
    log('the kits are warmed up; creating the subscriptions of the bad receivers');
    for (const [alias, answer] of Object.entries(BAD)) {
      const destinationUrl = await start((_, response, { url, socket }) => {
        attempts += 1;
        if (url === REDIRECTED) followed.push(`${alias}: ${url}`);
        const before = socket.bytesWritten;
        response.once('close', () => {
          const mb = (socket.bytesWritten - socket.writableLength - before) / 1e6;
          if (mb > MOST_TAKEN_MB) tooMuch.push(`${mb.toFixed(0)} MB`);
        });
        answer(response);
      });
      await create(sides[1]!.kit, 'subscriptions', { alias, provider: 'provider', types: ['provisioning.user.created'], destinationUrl });
    }
    const keys = await publish(sides, events);
    const [alone, together] = sides.map(({ arrivals }, n) => keys[n]!.map((key) => arrivals.get(key) ?? Number.NaN).sort((a, b) => a - b));
    const missing = keys.flat().filter((key) => !sides.some(({ arrivals }) => arrivals.has(key)));
    const [p50, p99] = [0.5, 0.99].map((share) => [alone!, together!].map((times) => times[Math.ceil(times.length * share) - 1]!));
    const ratio = p99![1]! / p99![0]!;
    return {
      counts: {
        'events, each to nine healthy receivers': events,
        'attempts at bad receivers': attempts,
        'p50 ms without / with bad receivers': p50!.join(' / '),
        'p99 ms without / with bad receivers': p99!.join(' / '),
        [`ratio of p99, at most ${MOST_RATIO}`]: ratio.toFixed(2),
      },
      problems: {
        'deliveries to healthy receivers missing': missing,
        'too slow': ratio <= MOST_RATIO ? [] : [`the ratio of p99 is ${ratio.toFixed(2)}, more than ${MOST_RATIO}`],
        'redirects followed': followed,
        [`bodies of which more than ${MOST_TAKEN_MB} MB were read`]: tooMuch,
      },
    };
  } finally {
    await Promise.all(sides.map(({ kit }) => kit.kill()));
    await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Creates users in both kits at fixed intervals, and waits for the deliveries.
 * @returns the keys of `arrivals` that are expected, for each kit
 */
async function publish(sides: readonly Side[], count: number): Promise<string[][]> {
  const keys: string[][] = sides.map(() => []);
  const begun = performance.now();
  for (let n = 0; n < count; n++) {
    await pause(Math.max(0, begun + n * EVERY_MS - performance.now()));
    const ids = await Promise.all(
      sides.map(({ kit }) => create(kit, 'users', { account: ACCOUNT, firstName: 'Ada', lastName: 'Lovelace' })),
    );
    for (const [side, id] of ids.entries()) for (let to = 0; to < HEALTHY; to++) keys[side]!.push(`${id} ${to}`);
  }
  const deadline = performance.now() + PATIENCE_MS;
  const hasAll = ({ arrivals }: Side, side: number) => keys[side]!.every((key) => arrivals.has(key));
  while (!sides.every(hasAll) && performance.now() < deadline) await pause(10);
  return keys;
}

/** Creates an entity with the control API. @returns the id of the entity */
async function create({ url }: KitProcess, collection: string, body: object): Promise<string> {
  const { ok, text } = await send(url, 'POST', `/_control/state/${collection}`, body);
  if (!ok) throw new Error(`Could not create an entity in ${collection}: ${text}`);
  return (JSON.parse(text) as { id: string }).id;
}
