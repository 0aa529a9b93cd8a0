import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { startBadReceivers } from './bad-receivers.ts';
import { ACCOUNT_ALIAS, sendRequest, startKit, writeFixtures } from './kits.ts';
import { measureMemory, sendToControl } from './reads.ts';
import type { Report } from './report.ts';

/** Each of these does its work again and again, at this interval in milliseconds, as long as the load lasts. */
const INTERVALS = { write: 25, read: 50, stream: 500, reset: 30_000, measure: 1000 };
const STREAM_LIFETIME_MS = 10_000;
/** The highest ratio of the average memory in the last quarter to that in the quarter before. */
const MAX_GROWTH = 1.1;

/** Puts a constant load on a kit with seven kinds of receivers, and verifies that its memory use stops growing. */
export async function testMemory(minutes: number, log: (text: string) => void): Promise<Report> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'chaos-'));
  const receivers = await startBadReceivers();
  const destinations = [...Object.values(receivers.urls), receivers.wellBehavedUrl, undefined];
  await using kit = await startKit(['--fixtures', writeFixtures(folder.path, destinations), '--retries', 'fast'], log);
  const counts = { writes: 0, reads: 0, 'streams opened': 0, resets: 0 };
  const failures: string[] = [];
  const samples: { rss: number; heap: number }[] = [];
  const end = performance.now() + minutes * 60_000;

  async function repeat(interval: number, work: () => Promise<unknown>): Promise<void> {
    for (let next = performance.now() + interval; performance.now() < end; next += interval) {
      await work().catch((error: Error) => failures.push(error.message));
      await pause(Math.max(0, Math.min(next, end) - performance.now()));
    }
  }

  /** After a reset, a response can be a 404. */
  async function send(method: string, path: string, body?: object): Promise<string> {
    const { status, text } = await sendRequest(kit.url, method, path, body);
    if (status >= 500) throw new Error(`${method} ${path}: ${status} ${text}`);
    return text;
  }

  async function write(): Promise<void> {
    const body = { account: ACCOUNT_ALIAS, firstName: 'Ada', lastName: 'Lovelace' };
    const { id } = JSON.parse(await send('POST', '/_control/state/users', body)) as { id: string };
    await send('DELETE', `/_control/state/users/${id}`);
    counts.writes += 2;
  }

  async function openStream(): Promise<void> {
    const { body } = await fetch(`${kit.url}/_control/stream`, { signal: AbortSignal.timeout(STREAM_LIFETIME_MS) });
    counts['streams opened'] += 1;
    readText(body!).catch(() => {});
  }

  async function measure(): Promise<void> {
    samples.push(await measureMemory(kit));
    if (samples.length % 60 !== 0) return;
    const { rss, heap } = averageOf(samples.slice(-60));
    log(`minute ${samples.length / 60}: ${rss.toFixed(0)} MB of RSS, ${heap.toFixed(0)} MB of heap`);
  }

  await Promise.all([
    repeat(INTERVALS.write, write),
    repeat(INTERVALS.read, async () => {
      await Promise.all(['/state/users', '/events', '/deliveries'].map((path) => send('GET', `/_control${path}`)));
      counts.reads += 3;
    }),
    repeat(INTERVALS.stream, openStream),
    repeat(INTERVALS.reset, async () => {
      await sendToControl(kit.url, 'POST', '/reset', { to: 'seed' });
      counts.resets += 1;
    }),
    repeat(INTERVALS.measure, measure),
  ]);
  const { attempts } = await receivers.stop();
  const quarters = [0, 1, 2, 3].map((quarter) =>
    averageOf(samples.slice((quarter * samples.length) / 4, ((quarter + 1) * samples.length) / 4)),
  );
  const growth = quarters[3]!.rss / quarters[2]!.rss;
  const formatQuarters = (kind: 'rss' | 'heap') => quarters.map((memory) => memory[kind].toFixed(0)).join(' ');
  return {
    counts: {
      ...counts,
      'delivery attempts to bad receivers': attempts,
      'MB of RSS in each quarter': formatQuarters('rss'),
      'MB of heap in each quarter': formatQuarters('heap'),
      [`growth in the last quarter, at most ${MAX_GROWTH}`]: growth.toFixed(2),
    },
    problems: {
      '5xx or no response': failures,
      'memory grows': growth <= MAX_GROWTH ? [] : [`RSS in the last quarter is ${growth.toFixed(2)} times that in the quarter before`],
    },
  };
}

function averageOf(samples: readonly { readonly rss: number; readonly heap: number }[]) {
  const average = (kind: 'rss' | 'heap') => samples.reduce((sum, sample) => sum + sample[kind], 0) / samples.length;
  return { rss: average('rss'), heap: average('heap') };
}
