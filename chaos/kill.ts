import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../src/store/engine.ts';
import { freshDatabase } from '../src/store/testing/postgres.ts';
import { type KitProcess, send, startKit, writeWorld } from './kits.ts';
import { type Kind, Ledger, verdictOf } from './ledger.ts';
import { startRecorder } from './receivers.ts';
import type { Report } from './report.ts';
import { startWriters } from './writers.ts';

const REPLICAS: Record<Engine, number> = { sqlite: 1, postgres: 2 };
const SUBSCRIPTIONS = 2;
const WRITERS = 6;
/** Writers pause while more than this number of deliveries is pending, because the run ends only when no delivery is pending. */
const MAX_PENDING = 1500;

/** Kills kits while they write and deliver. Compares the stored entities and the delivered events with the acknowledged writes. */
export async function killing(engine: Engine, kills: number, log: (text: string) => void): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-'));
  const recorder = await startRecorder();
  const { counts } = recorder;
  const ledger = new Ledger();
  const kits: (KitProcess | undefined)[] = [];
  let stopWriters: (() => Promise<void>) | undefined;
  try {
    const storage = engine === 'sqlite' ? ['--data', join(folder, 'kit.db')] : ['--database', await freshDatabase()];
    const fixtures = writeWorld(folder, Array(SUBSCRIPTIONS).fill(recorder.url));
    const args = [...storage, '--fixtures', fixtures, '--set', 'events.delivery.retry-schedule=fast'];
    const start = () => startKit(args, log);
    for (let slot = 0; slot < REPLICAS[engine]; slot++) kits.push(await start());
    const { url } = kits[0]!;
    const token = await read<{ accessToken: string }>(url, 'POST', '/tokens', { client: 'client', principal: 'principal' });
    const mayWrite = () => ledger.events.length * SUBSCRIPTIONS - (counts.received - counts.repeats) < MAX_PENDING;
    stopWriters = startWriters({ kits, ledger, token: token.accessToken, writersPerKit: WRITERS, mayWrite });

    for (let killed = 0, slot = 0; killed < kills; slot = (slot + 1) % kits.length) {
      const enough = ledger.acknowledged + 20 + Math.random() * 50;
      while (ledger.acknowledged < enough || recorder.waiting() === 0) await pause(1);
      const [writes, deliveries] = [ledger.cutOff, counts.cutOff];
      const kit = kits[slot];
      kits[slot] = undefined;
      await kit?.kill();
      kits[slot] = await start();
      // Count only kills that interrupt both a write and a delivery.
      if (ledger.cutOff === writes || counts.cutOff === deliveries) continue;
      killed += 1;
      if (killed % 10 === 0 || killed === kills)
        log(`${killed} kills, ${ledger.acknowledged} writes acknowledged, ${counts.received} deliveries received`);
    }
    await stopWriters();
    log('waiting until no delivery is pending');
    const unsettled = await settle(kits[0]!.url, () => counts.received);
    const existing = await entitiesOf(kits[0]!.url);
    const verdict = verdictOf({ existing, ledger, delivered: recorder.acknowledged, subscriptions: SUBSCRIPTIONS });
    const { acknowledged, cutOff, refusals, events } = ledger;
    return {
      counts: {
        ...{ kills, 'writes acknowledged': acknowledged, 'writes cut off': cutOff, events: events.length },
        ...{ 'deliveries received': counts.received, 'deliveries cut off by a kill': counts.cutOff },
        ...{ 'deliveries failed on purpose': counts.failed, repeats: counts.repeats },
      },
      problems: {
        ...verdict,
        'repeats with another body': recorder.differing,
        'unexpected responses': refusals,
        unsettled,
      },
    };
  } finally {
    await Promise.all(kits.map((kit) => kit?.kill()));
    await stopWriters?.();
    await recorder.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function read<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  return JSON.parse((await send(url, method, `/_control${path}`, body)).text) as T;
}

/** Reads the users and assignments in a kit that were created after the start. @returns the kind of each entity, by id */
async function entitiesOf(url: string): Promise<Map<string, Kind>> {
  const existing = new Map<string, Kind>();
  for (const kind of ['users', 'assignments'] as const) {
    const { whole: _, ...entities } = await read<Record<string, { id: string }>>(url, 'GET', `/state/${kind}`);
    for (const { id } of Object.values(entities)) existing.set(id, kind);
  }
  return existing;
}

/**
 * How long to wait after the last delivery. No delivery can follow later: the claims of a killed replica expire after 30 s, and an attempt
 * ends after 15 s.
 */
const PATIENCE_SECONDS = 90;

/**
 * Waits until no delivery is pending.
 * @param progress returns a number that grows with every delivery that arrives
 * @returns descriptions of at most 1000 pending deliveries, and of at most 1000 exhausted deliveries
 */
async function settle(url: string, progress: () => number): Promise<string[]> {
  const list = async (state: string) => {
    const found = await read<{ id: string; type: string; attempts: number }[]>(url, 'GET', `/deliveries?state=${state}&limit=1000`);
    return found.map(({ id, type, attempts }) => `${id} ${type} ${state} after ${attempts} attempts`);
  };
  let pending = await list('pending');
  for (let last = progress(), quiet = 0; pending.length > 0 && quiet < PATIENCE_SECONDS; quiet++) {
    await pause(1000);
    if (progress() !== last) [last, quiet] = [progress(), 0];
    pending = await list('pending');
  }
  return [...pending, ...(await list('exhausted'))];
}
