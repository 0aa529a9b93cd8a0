import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freshDatabase } from '../src/store/testing/postgres.ts';
import { type KitProcess, startKit } from './kit-process.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { settle } from './settle.ts';
import { entitiesOf, type Verdict, verdictOf } from './verdict.ts';
import { startWatchingReceiver, type WatchingReceiver } from './watching-receiver.ts';
import { writeWorld } from './world.ts';
import { startWriters, type Writers } from './writers.ts';

export const ENGINES = ['sqlite', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];

export interface KillResult extends Verdict {
  readonly kills: number;
  readonly writes: Ledger['counts'];
  readonly deliveries: WatchingReceiver['counts'];
  readonly refusals: readonly string[];
  /** What the kits logged: errors only. */
  readonly logged: readonly string[];
  /** Deliveries that are still under way, or were given up, at the end. */
  readonly unsettled: string[];
}

const REPLICAS: Record<Engine, number> = { sqlite: 1, postgres: 2 };
const SUBSCRIPTIONS = 2;
const WRITERS = 6;
/** Writers wait while more events than these are not acknowledged: what is left at the end has to be delivered, too. */
const MOST_OPEN = 1500;

/** Kills kits at the worst of times and looks at what is left. @param kills how often @param say gets progress */
export async function killing(engine: Engine, kills: number, say: (text: string) => void): Promise<KillResult> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-'));
  const receiver = await startWatchingReceiver();
  const ledger = createLedger();
  const logged: string[] = [];
  const kits: (KitProcess | undefined)[] = [];
  let writers: Writers | undefined;
  try {
    const place = engine === 'sqlite' ? ['--data', join(folder, 'kit.db')] : ['--database', await freshDatabase()];
    const fixtures = writeWorld(folder, Array(SUBSCRIPTIONS).fill(receiver.url));
    const args = [...place, '--fixtures', fixtures, '--set', 'events.delivery.retry-schedule=fast'];
    const start = () => startKit(args, (line) => void logged.push(line));
    for (let slot = 0; slot < REPLICAS[engine]; slot++) kits.push(await start());
    const token = await accessToken(kits[0]!);
    const open = () => ledger.events.length * SUBSCRIPTIONS - (receiver.counts.received - receiver.counts.repeats);
    writers = startWriters({ kits, ledger, token, each: WRITERS, mayWrite: () => receiver.holding || open() < MOST_OPEN });

    for (let killed = 0; killed < kills; ) {
      const slot = killed % kits.length;
      await pause(200 + Math.random() * 800);
      if (await kill(slot)) killed += 1;
      receiver.release();
      kits[slot] = await start();
      if (killed % 10 === 0 || killed === kills) {
        say(`${killed} kills, ${ledger.counts.acknowledged} writes acknowledged, ${receiver.counts.received} deliveries received`);
      }
    }
    await writers.stop();
    say('waiting until nothing is pending');
    const unsettled = await settle(kits[0]!.url, () => receiver.counts.received, say);
    const there = await entitiesOf(kits[0]!);
    const verdict = verdictOf({ there, ledger, receiver, subscriptions: SUBSCRIPTIONS });
    const { refusals, counts: writes } = ledger;
    return { ...verdict, kills, writes, deliveries: receiver.counts, refusals, logged, unsettled };
  } finally {
    receiver.release();
    await Promise.all(kits.map((kit) => kit?.kill()));
    await writers?.stop();
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  }

  /** @returns whether a delivery of this very kit was cut off, and a write to it not acknowledged */
  async function kill(slot: number): Promise<boolean> {
    receiver.hold();
    // Each replica gets the time to send something: which one a delivery is from shows only when it is cut off.
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
