import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type BadReceivers, startBadReceivers } from './bad-receivers.ts';
import { type HealthyReceivers, startHealthyReceivers } from './healthy-receivers.ts';
import { type KitProcess, startKit } from './kit-process.ts';
import { ACCOUNT, writeWorld } from './world.ts';

export interface NeighbourResult {
  readonly events: number;
  /** Of the deliveries to the healthy. */
  readonly missing: number;
  /** p99 of milliseconds from an event to its arrival, with the healthy alone. */
  readonly alone: number;
  /** The same beside the bad ones. */
  readonly together: number;
  /** By how many MB the kit's memory was larger at its largest beside the bad ones than at its largest without. */
  readonly growthMb: number;
  readonly badAttempts: number;
  readonly trapped: number;
  readonly logged: readonly string[];
}

interface Phase {
  readonly p99: number;
  readonly missing: number;
  readonly memory: number;
}

const HEALTHY = 9;
/** Events before those that count: code and sockets get warm. */
const WARM_UP = 100;
/** Milliseconds between two events: what is measured is a delivery, not a queue. */
const EVERY_MS = 50;
const PATIENCE_MS = 20_000;

/** Nine healthy subscribers without and with five bad ones: what becomes of the healthy. @param events in each half */
export async function neighbours(events: number, say: (text: string) => void): Promise<NeighbourResult> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-'));
  const healthy = await startHealthyReceivers(HEALTHY);
  const bad = await startBadReceivers();
  const logged: string[] = [];
  const fixtures = writeWorld(folder, healthy.urls);
  const args = ['--fixtures', fixtures, '--set', 'events.delivery.retry-schedule=fast'];
  const kit = await startKit(args, (line) => void logged.push(line));
  try {
    await publish(kit, healthy, WARM_UP);
    const alone = await publish(kit, healthy, events);
    say(`alone: p99 ${alone.p99} ms, ${alone.memory.toFixed(0)} MB`);
    await subscribeBad(kit, bad);
    const together = await publish(kit, healthy, events);
    say(`together: p99 ${together.p99} ms, ${together.memory.toFixed(0)} MB`);
    return {
      events: 2 * events,
      missing: alone.missing + together.missing,
      alone: alone.p99,
      together: together.p99,
      growthMb: together.memory - alone.memory,
      badAttempts: bad.all.reduce((sum, { attempts }) => sum + attempts, 0),
      trapped: bad.trapped,
      logged,
    };
  } finally {
    await kit.kill();
    await Promise.all([healthy.close(), bad.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}

async function publish(kit: KitProcess, { arrivals }: HealthyReceivers, count: number): Promise<Phase> {
  const keys: string[] = [];
  let memory = 0;
  const begun = performance.now();
  for (let n = 0; n < count; n++) {
    await pause(Math.max(0, begun + n * EVERY_MS - performance.now()));
    const { id } = await post(kit, 'users', { account: ACCOUNT, firstName: 'Ada', lastName: 'Lovelace' });
    for (let receiver = 0; receiver < HEALTHY; receiver++) keys.push(`${id} ${receiver}`);
    if (n % 20 === 0) memory = Math.max(memory, kit.memory());
  }
  const deadline = performance.now() + PATIENCE_MS;
  while (!keys.every((key) => arrivals.has(key)) && performance.now() < deadline) await pause(10);
  memory = Math.max(memory, kit.memory());
  const times = keys.flatMap((key) => arrivals.get(key) ?? []).sort((a, b) => a - b);
  return { p99: times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN, missing: keys.length - times.length, memory };
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
