import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freshDatabase } from '../src/store/testing/postgres.ts';
import { type KitProcess, startKit, writeWorld } from './kits.ts';
import { createLedger, entitiesOf, type Ledger, type Verdict, verdictOf } from './ledger.ts';
import { startWatchingReceiver, type WatchingReceiver } from './watching-receiver.ts';
import { startWriters, type Writers } from './writers.ts';

export const ENGINES = ['sqlite', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];

export interface KillResult extends Verdict {
  readonly kills: number;
  readonly writes: Ledger['counts'];
  readonly deliveries: WatchingReceiver['counts'];
  readonly refusals: readonly string[];
  /** Errors that the kits logged. */
  readonly errors: readonly string[];
  /** Deliveries that are still pending, or were given up, at the end. */
  readonly unsettled: string[];
}

const REPLICAS: Record<Engine, number> = { sqlite: 1, postgres: 2 };
const SUBSCRIPTIONS = 2;
const WRITERS = 6;
/** Writers pause while more deliveries than this are open, because all of them must be delivered before the run can end. */
const MAX_OPEN = 1500;

/** Kills kits while they write and deliver, and compares the result with what was acknowledged. @param log reports progress */
export async function killing(engine: Engine, kills: number, log: (text: string) => void): Promise<KillResult> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-'));
  const receiver = await startWatchingReceiver();
  const ledger = createLedger();
  const errors: string[] = [];
  const kits: (KitProcess | undefined)[] = [];
  let writers: Writers | undefined;
  try {
    const storage = engine === 'sqlite' ? ['--data', join(folder, 'kit.db')] : ['--database', await freshDatabase()];
    const fixtures = writeWorld(folder, Array(SUBSCRIPTIONS).fill(receiver.url));
    const args = [...storage, '--fixtures', fixtures, '--set', 'events.delivery.retry-schedule=fast'];
    const start = () => startKit(args, (line) => void errors.push(line));
    for (let slot = 0; slot < REPLICAS[engine]; slot++) kits.push(await start());
    const token = await accessToken(kits[0]!);
    const open = () => ledger.events.length * SUBSCRIPTIONS - (receiver.counts.received - receiver.counts.repeats);
    writers = startWriters({ kits, ledger, token, writersPerKit: WRITERS, mayWrite: () => receiver.holding || open() < MAX_OPEN });

    for (let killed = 0; killed < kills; ) {
      const slot = killed % kits.length;
      await pause(200 + Math.random() * 800);
      if (await kill(slot)) killed += 1;
      receiver.release();
      kits[slot] = await start();
      if (killed % 10 === 0 || killed === kills) {
        log(`${killed} kills, ${ledger.counts.acknowledged} writes acknowledged, ${receiver.counts.received} deliveries received`);
      }
    }
    await writers.stop();
    log('waiting until nothing is pending');
    const unsettled = await settle(kits[0]!.url, () => receiver.counts.received, log);
    const existing = await entitiesOf(kits[0]!);
    const verdict = verdictOf({ existing, ledger, receiver, subscriptions: SUBSCRIPTIONS });
    const { refusals, counts: writes } = ledger;
    return { ...verdict, kills, writes, deliveries: receiver.counts, refusals, errors, unsettled };
  } finally {
    receiver.release();
    await Promise.all(kits.map((kit) => kit?.kill()));
    await writers?.stop();
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  }

  /** @returns whether the kill cut off a delivery of this kit, and a write to it */
  async function kill(slot: number): Promise<boolean> {
    receiver.hold();
    // Gives each replica the time to send something: only a cut connection shows which replica a delivery came from.
    await pause(REPLICAS[engine] > 1 ? 150 : 0);
    while (receiver.held === 0 || writers?.underWay(slot) === 0) await pause(1);
    const before = receiver.counts.cutOff;
    const kit = kits[slot];
    kits[slot] = undefined;
    const writing = (writers?.underWay(slot) ?? 0) > 0;
    await kit?.kill();
    const deadline = performance.now() + 1000;
    while (receiver.counts.cutOff === before && performance.now() < deadline) await pause(5);
    // The connections of a killed kit end one by one.
    await pause(30);
    return writing && receiver.counts.cutOff > before;
  }
}

async function accessToken({ url }: KitProcess): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ client: 'client', principal: 'principal' });
  const response = await fetch(`${url}/_control/tokens`, { method: 'POST', headers, body });
  return ((await response.json()) as { accessToken: string }).accessToken;
}

interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly attempts: number;
}

/** Longer than the lease of a killed replica (30 s) and an attempt (15 s) together. After so long without progress, nothing more will come. */
const PATIENCE_SECONDS = 90;

/**
 * Waits until no delivery is pending.
 *
 * @param progress a number that grows while deliveries arrive
 * @returns descriptions of the deliveries that stayed pending or were given up, at most 1000 of each
 */
export async function settle(url: string, progress: () => number, log: (text: string) => void): Promise<string[]> {
  let [last, quiet, waited] = [progress(), 0, 0];
  let pending = await deliveries(url, 'pending');
  for (; pending.length > 0 && quiet < PATIENCE_SECONDS; quiet++) {
    await pause(1000);
    if (progress() !== last) [last, quiet] = [progress(), 0];
    pending = await deliveries(url, 'pending');
    waited += 1;
    if (waited % 10 === 0) log(`${pending.length === 1000 ? '1000 or more' : pending.length} deliveries pending`);
  }
  const exhausted = await deliveries(url, 'exhausted');
  return [...pending.map((it) => describe(it, 'pending')), ...exhausted.map((it) => describe(it, 'given up'))];
}

async function deliveries(url: string, state: string): Promise<Delivery[]> {
  const response = await fetch(`${url}/_control/deliveries?state=${state}&limit=1000`);
  return (await response.json()) as Delivery[];
}

function describe({ id, type, attempts }: Delivery, state: string): string {
  return `${id} ${type} ${state} after ${attempts} attempts`;
}
