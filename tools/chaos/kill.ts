import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type KitProcess, startKit, writeFixtures } from './kits.ts';
import { Ledger } from './ledger.ts';
import { requestToken } from './reads.ts';
import { startRecorder } from './receivers.ts';
import type { Report } from './report.ts';
import { hasFewPendingDeliveries, verifyWrites } from './verify.ts';
import { startWriters } from './writers.ts';

const SUBSCRIPTION_COUNT = 2;
const WRITER_COUNT = 6;

export async function killRepeatedly(kills: number, log: (text: string) => void): Promise<Report> {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(await mkdtempDisposable(join(tmpdir(), 'chaos-'))).path;
  const recorder = cleanup.use(await startRecorder());
  const { counts } = recorder;
  const ledger = new Ledger();
  const run = { ledger, recorder, subscriptions: SUBSCRIPTION_COUNT };
  const fixtures = writeFixtures(folder, Array(SUBSCRIPTION_COUNT).fill(recorder.url));
  const args = ['--data', join(folder, 'kit.db'), '--fixtures', fixtures, '--set', 'events.delivery.retry-schedule=fast'];
  const kits: [KitProcess | undefined] = [await startKit(args, log)];
  cleanup.defer(() => kits[0]?.kill());
  const stopWriters = startWriters({
    kits,
    ledger,
    token: await requestToken(kits[0]!.url),
    writersPerKit: WRITER_COUNT,
    mayWrite: () => hasFewPendingDeliveries(run),
  });
  cleanup.defer(stopWriters);

  for (let killed = 0; killed < kills; ) {
    const enough = ledger.acknowledged + 20 + Math.random() * 50;
    while (ledger.acknowledged < enough || recorder.countPendingResponses() === 0) await pause(1);
    const [writes, deliveries] = [ledger.cutOff, counts.cutOff];
    const [kit] = kits;
    kits[0] = undefined;
    await kit?.kill();
    kits[0] = await startKit(args, log);
    // Count only kills that interrupt both a write and a delivery.
    if (ledger.cutOff === writes || counts.cutOff === deliveries) continue;
    killed += 1;
    if (killed % 10 === 0 || killed === kills)
      log(`${killed} kills, ${ledger.acknowledged} writes acknowledged, ${counts.received} deliveries received`);
  }
  await stopWriters();
  log('waiting until no delivery is pending');
  const report = await verifyWrites(kits[0]!.url, run);
  return { ...report, counts: { kills, ...report.counts } };
}
