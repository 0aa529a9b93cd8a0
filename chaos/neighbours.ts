import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ACCOUNT, type KitMemory, type KitProcess, startKit, writeWorld } from './kits.ts';
import { type BadReceivers, type HealthyReceivers, startBadReceivers, startHealthyReceivers } from './receivers.ts';

/** Deliveries of one kit to its healthy subscribers. Times are milliseconds from an event to its arrival. */
export interface Side {
  readonly p50: number;
  readonly p99: number;
  readonly missing: number;
  /** Before the bad receivers subscribe, after the warm-up. */
  readonly warm: KitMemory;
  readonly end: KitMemory;
}

export interface NeighbourResult {
  readonly events: number;
  readonly alone: Side;
  readonly together: Side;
  readonly badAttempts: number;
  readonly redirectsFollowed: number;
  readonly errors: readonly string[];
}

interface Tested {
  readonly kit: KitProcess;
  readonly healthy: HealthyReceivers;
}

const HEALTHY = 9;
/** Published before memory is measured for the first time, so that it has grown as far as healthy work makes it grow. */
const WARM_UP = { events: 500, everyMs: 15 };
/** Published after that measurement, which discards compiled code and reserved memory. */
const WARM_AGAIN = 200;
/** Slow enough that no queue builds up: the latency of a delivery is measured, not that of a queue. */
const EVERY_MS = 50;
const PATIENCE_MS = 20_000;

/**
 * Runs two kits with nine healthy subscribers each; one of them also has five bad subscribers. Compares the deliveries to the healthy ones. The kits run
 * at the same time, so that other load on the machine affects both.
 */
export async function neighbours(events: number, log: (text: string) => void): Promise<NeighbourResult> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-'));
  const bad = await startBadReceivers();
  const errors: string[] = [];
  const sides: Tested[] = [];
  try {
    for (let n = 0; n < 2; n++) {
      const healthy = await startHealthyReceivers(HEALTHY);
      const args = ['--fixtures', writeWorld(folder, healthy.urls), '--set', 'events.delivery.retry-schedule=fast'];
      sides.push({ kit: await startKit(args, (line) => void errors.push(line)), healthy });
    }
    await publish(sides, WARM_UP.events, WARM_UP.everyMs);
    const warm = await Promise.all(sides.map(({ kit }) => kit.memory()));
    await publish(sides, WARM_AGAIN, EVERY_MS);
    log('warm; the bad receivers subscribe now');
    await subscribeBad(sides[1]!.kit, bad);
    const keys = await publish(sides, events, EVERY_MS);
    const [alone, together] = await Promise.all(sides.map((side, n) => measure(side, keys[n]!, warm[n]!)));
    const { attempts: badAttempts, redirectsFollowed } = bad;
    return { events, alone: alone!, together: together!, badAttempts, redirectsFollowed, errors };
  } finally {
    await Promise.all(sides.map(({ kit }) => kit.kill()));
    await Promise.all([bad, ...sides.map(({ healthy }) => healthy)].map((it) => it.close()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates users in every kit at a steady pace and waits for the deliveries. @returns the keys of the expected arrivals, by side */
async function publish(sides: readonly Tested[], count: number, everyMs: number): Promise<string[][]> {
  const keys: string[][] = sides.map(() => []);
  const begun = performance.now();
  for (let n = 0; n < count; n++) {
    await pause(Math.max(0, begun + n * everyMs - performance.now()));
    const ids = await Promise.all(sides.map(({ kit }) => post(kit, 'users', { account: ACCOUNT, firstName: 'Ada', lastName: 'Lovelace' })));
    for (const [side, { id }] of ids.entries()) for (let to = 0; to < HEALTHY; to++) keys[side]!.push(`${id} ${to}`);
  }
  const deadline = performance.now() + PATIENCE_MS;
  const hasAll = ({ healthy }: Tested, side: number) => keys[side]!.every((key) => healthy.arrivals.has(key));
  while (!sides.every(hasAll) && performance.now() < deadline) await pause(10);
  return keys;
}

async function measure({ kit, healthy }: Tested, keys: readonly string[], warm: KitMemory): Promise<Side> {
  const times = keys.flatMap((key) => healthy.arrivals.get(key) ?? []).sort((a, b) => a - b);
  const percentile = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN;
  return { p50: percentile(0.5), p99: percentile(0.99), missing: keys.length - times.length, warm, end: await kit.memory() };
}

async function subscribeBad(kit: KitProcess, { urls }: BadReceivers): Promise<void> {
  for (const [n, url] of urls.entries()) {
    await post(kit, 'subscriptions', {
      alias: `bad-${n}`,
      provider: 'provider',
      types: ['provisioning.user.created'],
      destinationUrl: url,
    });
  }
}

async function post({ url }: KitProcess, collection: string, body: object): Promise<{ id: string }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/_control/state/${collection}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`Could not create one of ${collection}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { id: string };
}
