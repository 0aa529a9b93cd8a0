import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type BadReceivers, startBadReceivers } from './bad-receivers.ts';
import { type HealthyReceivers, startHealthyReceivers } from './healthy-receivers.ts';
import { type KitMemory, type KitProcess, startKit } from './kit-process.ts';
import { ACCOUNT, writeWorld } from './world.ts';

/** Of the deliveries of one kit to its healthy subscribers. Times are milliseconds from an event to its arrival. */
export interface Side {
  readonly p50: number;
  readonly p99: number;
  readonly missing: number;
  /** When the kit was warm and nobody bad was there yet, and at the end. */
  readonly warm: KitMemory;
  readonly end: KitMemory;
}

export interface NeighbourResult {
  readonly events: number;
  readonly alone: Side;
  readonly together: Side;
  readonly badAttempts: number;
  readonly trapped: number;
  readonly logged: readonly string[];
}

interface Tested {
  readonly kit: KitProcess;
  readonly healthy: HealthyReceivers;
}

const HEALTHY = 9;
/** Events before memory is looked at first: it gets as large as so much work among the healthy makes it. */
const WARM_UP = { events: 500, everyMs: 15 };
/** Events between that look, which throws compiled code and reserves away, and those that count. */
const WARM_AGAIN = 200;
/** Milliseconds between two events that count: what is measured is a delivery, not a queue. */
const EVERY_MS = 50;
const PATIENCE_MS = 20_000;

/**
 * Two kits with nine healthy subscribers each, one of them with five bad ones, too: what becomes of the healthy. Side by side, so that whatever else
 * the machine does meets both.
 */
export async function neighbours(events: number, say: (text: string) => void): Promise<NeighbourResult> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-'));
  const bad = await startBadReceivers();
  const logged: string[] = [];
  const sides: Tested[] = [];
  try {
    for (let n = 0; n < 2; n++) {
      const healthy = await startHealthyReceivers(HEALTHY);
      const args = ['--fixtures', writeWorld(folder, healthy.urls), '--set', 'events.delivery.retry-schedule=fast'];
      sides.push({ kit: await startKit(args, (line) => void logged.push(line)), healthy });
    }
    await publish(sides, WARM_UP.events, WARM_UP.everyMs);
    const warm = await Promise.all(sides.map(({ kit }) => kit.memory()));
    await publish(sides, WARM_AGAIN, EVERY_MS);
    say('warm; now the bad ones');
    await subscribeBad(sides[1]!.kit, bad);
    const keys = await publish(sides, events, EVERY_MS);
    const [alone, together] = await Promise.all(sides.map((side, n) => measured(side, keys[n]!, warm[n]!)));
    const badAttempts = bad.all.reduce((sum, { attempts }) => sum + attempts, 0);
    return { events, alone: alone!, together: together!, badAttempts, trapped: bad.trapped, logged };
  } finally {
    await Promise.all(sides.map(({ kit }) => kit.kill()));
    await Promise.all([bad, ...sides.map(({ healthy }) => healthy)].map((it) => it.close()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** So many users at every kit, at a steady pace. @returns the keys of the arrivals that are to be, by side */
async function publish(sides: readonly Tested[], count: number, everyMs: number): Promise<string[][]> {
  const keys: string[][] = sides.map(() => []);
  const begun = performance.now();
  for (let n = 0; n < count; n++) {
    await pause(Math.max(0, begun + n * everyMs - performance.now()));
    const ids = await Promise.all(sides.map(({ kit }) => post(kit, 'users', { account: ACCOUNT, firstName: 'Ada', lastName: 'Lovelace' })));
    for (const [side, { id }] of ids.entries()) for (let to = 0; to < HEALTHY; to++) keys[side]!.push(`${id} ${to}`);
  }
  const deadline = performance.now() + PATIENCE_MS;
  const isThere = ({ healthy }: Tested, side: number) => keys[side]!.every((key) => healthy.arrivals.has(key));
  while (!sides.every(isThere) && performance.now() < deadline) await pause(10);
  return keys;
}

async function measured({ kit, healthy }: Tested, keys: readonly string[], warm: KitMemory): Promise<Side> {
  const times = keys.flatMap((key) => healthy.arrivals.get(key) ?? []).sort((a, b) => a - b);
  const part = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN;
  return { p50: part(0.5), p99: part(0.99), missing: keys.length - times.length, warm, end: await kit.memory() };
}

async function subscribeBad(kit: KitProcess, { all }: BadReceivers): Promise<void> {
  for (const [n, { url }] of all.entries()) {
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
  if (!response.ok) throw new Error(`A ${collection} entity could not be made: ${response.status} ${await response.text()}`);
  return (await response.json()) as { id: string };
}
