import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MAX_MB_READ, startBadReceivers } from './bad-receivers.ts';
import { ACCOUNT_ALIAS, type KitProcess, sendRequest, startKit, writeFixtures } from './kits.ts';
import { parseEvent, startEndpoint } from './receivers.ts';
import { findPercentile, type Report } from './report.ts';

interface ComparedKit {
  readonly kit: KitProcess;
  /** Maps `userId subscriberNumber` to the milliseconds from the event's timestamp to its first arrival. */
  readonly arrivals: Map<string, number>;
}

const HEALTHY_RECEIVERS = 9;
const WARM_UP_EVENTS = 200;
/** The interval between events, in milliseconds. It is long enough to avoid a queue. */
const EVENT_INTERVAL_MS = 50;
const DELIVERY_TIMEOUT_MS = 20_000;
const BAD_ATTEMPTS_PER_EVENT = 9;
/** With bad receivers, the p99 latency may be at most this multiple of the p99 latency without them. */
const MAX_LATENCY_RATIO = 1.5;

export async function testBadSubscribers(events: number, log: (text: string) => void): Promise<Report> {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(await mkdtempDisposable(join(tmpdir(), 'chaos-'))).path;
  const sides: ComparedKit[] = [];

  const startHealthyReceiver = async (arrivals: ComparedKit['arrivals'], receiverNumber: number): Promise<string> => {
    const endpoint = await startEndpoint((body, response) => {
      const { timestamp, data } = parseEvent(body);
      const key = `${data.userId} ${receiverNumber}`;
      if (!arrivals.has(key)) arrivals.set(key, Date.now() - Date.parse(timestamp));
      response.writeHead(204).end();
    });
    return cleanup.use(endpoint).url;
  };

  const badReceivers = await startBadReceivers();
  for (let n = 0; n < 2; n++) {
    const arrivals: ComparedKit['arrivals'] = new Map();
    const urls = await Promise.all(Array.from({ length: HEALTHY_RECEIVERS }, (_, index) => startHealthyReceiver(arrivals, index)));
    const args = ['--fixtures', writeFixtures(folder, urls), '--set', 'events.delivery.retry-schedule=fast'];
    sides.push({ kit: cleanup.use(await startKit(args, log)), arrivals });
  }
  await publishEvents(sides, WARM_UP_EVENTS);
  log('warm-up complete; subscribing the bad receivers');
  for (const [alias, destinationUrl] of Object.entries(badReceivers.urls)) {
    await subscribe(sides[1]!.kit, alias, destinationUrl);
  }
  for (let n = 0; n < BAD_ATTEMPTS_PER_EVENT; n++) await subscribe(sides[0]!.kit, `well-behaved-${n}`, badReceivers.wellBehavedUrl);
  const keys = await publishEvents(sides, events);
  const { attempts, followed, tooMuch } = await badReceivers.stop();
  const [alone, together] = sides.map(({ arrivals }, n) => keys[n]!.map((key) => arrivals.get(key) ?? Number.NaN).sort((a, b) => a - b));
  const missing = keys.flat().filter((key) => !sides.some(({ arrivals }) => arrivals.has(key)));
  const [p50, p99] = [0.5, 0.99].map((share) => [alone!, together!].map((times) => findPercentile(times, share)));
  const ratio = p99![1]! / p99![0]!;
  return {
    counts: {
      'events, each to nine healthy receivers': events,
      'delivery attempts to bad receivers': attempts,
      'p50 in ms without / with bad receivers': p50!.join(' / '),
      'p99 in ms without / with bad receivers': p99!.join(' / '),
      [`p99 ratio, at most ${MAX_LATENCY_RATIO}`]: ratio.toFixed(2),
    },
    problems: {
      'missing deliveries to healthy receivers': missing,
      'slow deliveries': ratio <= MAX_LATENCY_RATIO ? [] : [`the p99 ratio is ${ratio.toFixed(2)}, more than ${MAX_LATENCY_RATIO}`],
      'redirects followed': followed,
      [`responses from which the kit read more than ${MAX_MB_READ} MB`]: tooMuch,
    },
  };
}

/** @returns the expected keys of each kit's `arrivals` */
async function publishEvents(sides: readonly ComparedKit[], count: number): Promise<string[][]> {
  const keys: string[][] = sides.map(() => []);
  const begun = performance.now();
  for (let n = 0; n < count; n++) {
    await pause(Math.max(0, begun + n * EVENT_INTERVAL_MS - performance.now()));
    const ids = await Promise.all(
      sides.map(({ kit }) => createEntity(kit, 'users', { account: ACCOUNT_ALIAS, firstName: 'Ada', lastName: 'Lovelace' })),
    );
    for (const [side, id] of ids.entries()) for (let to = 0; to < HEALTHY_RECEIVERS; to++) keys[side]!.push(`${id} ${to}`);
  }
  const deadline = performance.now() + DELIVERY_TIMEOUT_MS;
  const hasAllArrivals = ({ arrivals }: ComparedKit, side: number) => keys[side]!.every((key) => arrivals.has(key));
  while (!sides.every(hasAllArrivals) && performance.now() < deadline) await pause(10);
  return keys;
}

const subscribe = (kit: KitProcess, alias: string, destinationUrl: string) =>
  createEntity(kit, 'subscriptions', { alias, provider: 'provider', types: ['provisioning.user.created'], destinationUrl });

async function createEntity({ url }: KitProcess, collection: string, body: object): Promise<string> {
  const { ok, text } = await sendRequest(url, 'POST', `/_control/state/${collection}`, body);
  if (!ok) throw new Error(`Could not create an entity in ${collection}: ${text}`);
  return (JSON.parse(text) as { id: string }).id;
}
