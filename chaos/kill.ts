import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../src/store/engine.ts';
import { createDatabase } from '../src/store/testing/postgres.ts';
import { type KitProcess, startKit, writeFixtures } from './kits.ts';
import { findProblems, Ledger } from './ledger.ts';
import { readEntities, sendToControl } from './reads.ts';
import { startRecorder } from './receivers.ts';
import type { Report } from './report.ts';
import { startWriters } from './writers.ts';

const REPLICA_COUNT: Record<Engine, number> = { sqlite: 1, postgres: 2 };
const SUBSCRIPTION_COUNT = 2;
const WRITERS_PER_KIT = 6;
/** Writers pause while more deliveries than this are pending, because the run ends only when no delivery is pending. */
const MAX_PENDING_DELIVERIES = 1500;

/** Kills kits while they write and deliver. Then compares the stored entities and the delivered events with the acknowledged writes. */
export async function killRepeatedly(engine: Engine, kills: number, log: (text: string) => void): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-'));
  const recorder = await startRecorder();
  const { counts } = recorder;
  const ledger = new Ledger();
  const kits: (KitProcess | undefined)[] = [];
  let stopWriters: (() => Promise<void>) | undefined;
  try {
    const storage = engine === 'sqlite' ? ['--data', join(folder, 'kit.db')] : ['--database', await createDatabase()];
    const fixtures = writeFixtures(folder, Array(SUBSCRIPTION_COUNT).fill(recorder.url));
    const args = [...storage, '--fixtures', fixtures, '--set', 'events.delivery.retry-schedule=fast'];
    const startNextKit = () => startKit(args, log);
    for (let slot = 0; slot < REPLICA_COUNT[engine]; slot++) kits.push(await startNextKit());
    const { url } = kits[0]!;
    const token = await sendToControl<{ accessToken: string }>(url, 'POST', '/tokens', { client: 'client', principal: 'principal' });
    const mayWrite = () => ledger.events.length * SUBSCRIPTION_COUNT - (counts.received - counts.repeats) < MAX_PENDING_DELIVERIES;
    stopWriters = startWriters({ kits, ledger, token: token.accessToken, writersPerKit: WRITERS_PER_KIT, mayWrite });

    for (let killed = 0, slot = 0; killed < kills; slot = (slot + 1) % kits.length) {
      const enough = ledger.acknowledged + 20 + Math.random() * 50;
      while (ledger.acknowledged < enough || recorder.countPendingResponses() === 0) await pause(1);
      const [writes, deliveries] = [ledger.cutOff, counts.cutOff];
      const kit = kits[slot];
      kits[slot] = undefined;
      await kit?.kill();
      kits[slot] = await startNextKit();
      // Count only kills that interrupt both a write and a delivery.
      if (ledger.cutOff === writes || counts.cutOff === deliveries) continue;
      killed += 1;
      if (killed % 10 === 0 || killed === kills)
        log(`${killed} kills, ${ledger.acknowledged} writes acknowledged, ${counts.received} deliveries received`);
    }
    await stopWriters();
    log('waiting until no delivery is pending');
    const unsettled = await waitForDeliveries(kits[0]!.url, () => counts.received);
    const existing = await readEntities(kits[0]!.url);
    const verdict = findProblems({ existing, ledger, delivered: recorder.acknowledged, subscriptions: SUBSCRIPTION_COUNT });
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

/**
 * How long to wait for another delivery. No delivery can arrive later, because the claims of a killed replica expire after 30 s, and an
 * attempt ends after 15 s.
 */
const MAX_QUIET_SECONDS = 90;

/**
 * Waits until no delivery is pending.
 * @param progress returns a number that grows with every delivery that arrives
 * @returns descriptions of at most 1000 pending deliveries, and of at most 1000 exhausted deliveries
 */
async function waitForDeliveries(url: string, progress: () => number): Promise<string[]> {
  const describeDeliveries = async (state: string) => {
    const found = await sendToControl<{ id: string; type: string; attempts: number }[]>(
      url,
      'GET',
      `/deliveries?state=${state}&limit=1000`,
    );
    return found.map(({ id, type, attempts }) => `${id} ${type} ${state} after ${attempts} attempts`);
  };
  let pending = await describeDeliveries('pending');
  for (let last = progress(), quiet = 0; pending.length > 0 && quiet < MAX_QUIET_SECONDS; quiet++) {
    await pause(1000);
    if (progress() !== last) [last, quiet] = [progress(), 0];
    pending = await describeDeliveries('pending');
  }
  return [...pending, ...(await describeDeliveries('exhausted'))];
}
