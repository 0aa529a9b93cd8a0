import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { launchChromium } from '../../../src/oauth/server/testing/chromium.ts';
import { get, post, send } from '../http.ts';
import { type KitServer, startKit } from '../processes.ts';
import { createRow, type Options, type Row, type Scenario } from '../report.ts';
import { ACCOUNT_ID, EXPERIENCE_ID, FIRST_FREE_NUMBER } from '../world.ts';
import { measureBesideConsoles } from './beside-consoles.ts';

const JOURNAL_ENTRIES = 10_000;
const CONCURRENCY = 16;
const EVENTS_PER_MINUTE = 5000;
/** With the default `--seconds`, events are published for a minute. */
const BODY_LENGTH = 40;
const BYTES_PER_MB = 1 << 20;

export const measureConsole: Scenario = async (options, log) => [
  ...(await measureInBrowser(options, log)),
  ...(await measureBesideConsoles(options, log)),
];

async function measureInBrowser(options: Options, log: (text: string) => void): Promise<Row[]> {
  const events = Math.ceil((EVENTS_PER_MINUTE / 60) * options.seconds * BODY_LENGTH);
  await using kit = await startKit({ clients: 1, journal: JOURNAL_ENTRIES, numbers: events });
  await using browser = await launchChromium();
  await fillJournal(kit);
  const paints: number[] = [];
  const loaded: PageMeasurement[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const { page, usefulAt } = await openPage(browser, kit, '/');
    paints.push(usefulAt);
    loaded.push(await readMeasurement(page));
    await page.close();
  }
  log(`${events} events, ${EVENTS_PER_MINUTE} a minute`);
  const pages = [(await openPage(browser, kit, '/events')).page, (await openPage(browser, kit, '/requests')).page];
  for (const page of pages) loaded.push(await readMeasurement(page));
  await publishEvents(kit, events);
  const measured = await Promise.all(pages.map(readMeasurement));
  const heaps = await Promise.all(pages.map(measureHeap));
  const [longestFrame, heap] = [Math.max(...measured.map((each) => each.longestFrame)), Math.max(...heaps) / BYTES_PER_MB];
  const listShifts = (measurements: readonly PageMeasurement[]) => measurements.map(({ shift }) => shift);
  return [
    createRow('first useful paint of the console with 10,000 requests in the journal', 'time', 'ms', paints, { atMost: 800 }),
    createRow('longest frame of the console at 5,000 events a minute', 'time', 'ms', [longestFrame], { atMost: 100 }),
    createRow('layout shift of the console while a page loads', 'shift', 'x', listShifts(loaded), { atMost: 0.1 }),
    // The layout shift includes rows that move down when a newer row appears.
    createRow('layout shift of the console at 5,000 events a minute', 'shift', 'x', listShifts(measured), { atMost: 0.1 }),
    createRow('heap of the console after a load of 5,000 events a minute', 'memory', 'MB', [heap], { atMost: 50 }),
  ];
}

async function fillJournal({ port, tokens }: KitServer): Promise<void> {
  const request = get(`/users?accountId=${ACCOUNT_ID}`, tokens[0]!);
  const sendInTurn = async () => {
    for (let sent = 0; sent < JOURNAL_ENTRIES / CONCURRENCY; sent++) await send(port, request);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendInTurn));
}

interface PageMeasurement {
  /** The longest time, in milliseconds, between two frames. */
  readonly longestFrame: number;
  /** The Cumulative Layout Shift (CLS). */
  readonly shift: number;
}

// This script is a string, because this folder is compiled without DOM types.
const MEASURE_SCRIPT = `
  const useful = Promise.withResolvers();
  window.usefulAt = useful.promise;
  window.measured = { longestFrame: 0, shift: 0 };
  let [sum, first, latest] = [0, 0, 0];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, startTime } of list.getEntries()) {
      if (hadRecentInput) continue;
      if (startTime - latest > 1000 || startTime - first > 5000) [sum, first] = [0, startTime];
      latest = startTime;
      measured.shift = Math.max(measured.shift, (sum += value));
    }
  }).observe({ type: 'layout-shift', buffered: true });
  const isThere = (selector) => document.querySelector('main .page:not(.skeleton-page) ' + selector) !== null;
  let [last, isReady] = [undefined, false];
  const onFrame = (now) => {
    if (last !== undefined) measured.longestFrame = Math.max(measured.longestFrame, now - last);
    last = now;
    if (isReady) useful.resolve(now);
    isReady ||= isThere(':is(td, .empty)') && !isThere('.skeleton');
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);`;

/** @returns the page, and the milliseconds from navigation to the first frame with the page's content */
async function openPage(browser: Browser, { port }: KitServer, path: string): Promise<{ page: Page; usefulAt: number }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript(MEASURE_SCRIPT);
  await page.goto(`http://127.0.0.1:${port}/_console${path}`);
  return { page, usefulAt: (await page.evaluate('usefulAt')) as number };
}

async function readMeasurement(page: Page): Promise<PageMeasurement> {
  return (await page.evaluate('[measured, (measured = { longestFrame: 0, shift: 0 })][0]')) as PageMeasurement;
}

async function publishEvents({ port, tokens }: KitServer, count: number): Promise<void> {
  const start = performance.now();
  const sent: Promise<string>[] = [];
  for (let index = 0; index < count; index++) {
    await pause(Math.max(0, start + (index * 60_000) / EVENTS_PER_MINUTE - performance.now()));
    const body = { experienceId: EXPERIENCE_ID, targetType: 'PHONE_NUMBER', targetValue: `+1${FIRST_FREE_NUMBER + index}` };
    sent.push(send(port, { ...post('/experience/assignments', body, tokens[0]!), expect: 201 }));
  }
  await Promise.all(sent);
}

/** Returns the memory, in bytes, that a page's scripts use after garbage collection. */
async function measureHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}
