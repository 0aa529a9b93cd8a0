import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { get, post, send } from '../http.ts';
import { type KitServer, startKit } from '../processes.ts';
import { type Row, type Scenario, spreadOf } from '../report.ts';
import { ACCOUNT, type KitSetup } from '../world.ts';

const MB = 1 << 20;
const TIMES = 20;

/** Starts a kit, measures it, and stops it. */
async function withKit<Result>(setup: Partial<KitSetup>, measure: (kit: KitServer) => Promise<Result>): Promise<Result> {
  const kit = await startKit({ clients: 1, ...setup });
  try {
    return await measure(kit);
  } finally {
    await kit.stop();
  }
}

/** Repeats work one time after the other. @returns the duration of each time, in milliseconds */
async function durations(times: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < times; index++) {
    const begin = performance.now();
    await work(index);
    all.push(performance.now() - begin);
  }
  return all;
}

const inTime = (what: string, times: readonly number[], atMost?: number): Row => ({
  what,
  unit: 'ms',
  figures: { time: spreadOf(times) },
  ...(atMost !== undefined && { target: { atMost } }),
});

/** Measures the start of a second kit in a process. Test suites start one for each test file. */
export const second: Scenario = async ({ rounds }) => {
  const times = await withKit({}, async (kit) => {
    const all: number[] = [];
    for (let round = 0; round < rounds; round++) all.push(await kit.ask('second-kit'));
    return all;
  });
  return [inTime('second createKit in a process', times, 40)];
};

const IDLE_MS = 6000;

/** Counts the SQL statements of a kit that gets no requests. */
export const idle: Scenario = async () => {
  const statements = await withKit({ counting: true }, async (kit) => {
    await pause(1000);
    const before = await kit.ask('statements');
    await pause(IDLE_MS);
    return (await kit.ask('statements')) - before;
  });
  const figures = { statements: spreadOf([(statements * 60_000) / IDLE_MS]) };
  return [{ what: 'SQL statements of an idle kit on SQLite', unit: '/min', figures, target: { atMost: 0 } }];
};

/** Measures the creation of one more subscription in a kit with 10,000 subscriptions. */
export const subscriptions: Scenario = async () => {
  const times = await withKit({ subscriptions: 10_000 }, ({ port }) => {
    const body = { provider: 'provider', types: ['provisioning.user.created'] };
    return durations(TIMES, () => send(port, { ...post('/_control/state/subscriptions', body), expect: 201 }));
  });
  return [inTime('one more subscription beside 10,000', times, 10)];
};

const USERS = 1_000_000;

/** Measures a dump of a world with 1,000,000 users: its duration, and the largest memory of the kit in addition to that before. */
export const dump: Scenario = (_, log) =>
  withKit({ users: USERS }, async (kit) => {
    const before = await kit.ask('memory');
    let [most, isOver] = [before, false];
    const watch = async () => {
      for (; !isOver; await pause(50)) most = Math.max(most, await kit.ask('memory'));
    };
    const watching = watch();
    const [ms = 0] = await durations(1, async () => {
      const { body } = await request(`http://127.0.0.1:${kit.port}/_control/state`, { bodyTimeout: 0, headersTimeout: 0 });
      let bytes = 0;
      for await (const chunk of body) bytes += (chunk as Buffer).length;
      log(`${Math.round(bytes / MB)} MB`);
    });
    isOver = true;
    await watching;
    return [
      inTime('dump of 1,000,000 users', [ms]),
      { what: 'memory added by the dump', unit: 'MB', figures: { memory: spreadOf([(most - before) / MB]) }, target: { atMost: 150 } },
    ];
  });

const STREAMS = 1000;

/** Measures 20 requests, one after the other, without streams and with 1,000 open streams. */
export const streams: Scenario = () =>
  withKit({}, async ({ port, tokens }) => {
    const twenty = () => durations(1, () => durations(TIMES, () => send(port, get(`/users?accountId=${ACCOUNT}`, tokens[0]!))));
    await twenty();
    const without = await twenty();
    const open = await Promise.all(
      Array.from({ length: STREAMS }, () => request(`http://127.0.0.1:${port}/_control/stream`, { bodyTimeout: 0, headersTimeout: 0 })),
    );
    // A stream whose messages nobody reads would be slowed down by the operating system.
    for (const { body } of open) body.on('error', () => {}).resume();
    const beside = await twenty();
    for (const { body } of open) body.destroy();
    return [inTime('20 requests in a row', without), inTime('20 requests in a row beside 1,000 streams', beside)];
  });
