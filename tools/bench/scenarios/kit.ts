import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { get, post, send } from '../http.ts';
import { type KitServer, startKit } from '../processes.ts';
import { calculateSpread, type Row, type Scenario } from '../report.ts';
import { ACCOUNT_ID, type KitSetup } from '../world.ts';

const BYTES_PER_MB = 1 << 20;
const REPETITIONS = 20;

async function withKit<Result>(setup: Partial<KitSetup>, measure: (kit: KitServer) => Promise<Result>): Promise<Result> {
  const kit = await startKit({ clients: 1, ...setup });
  try {
    return await measure(kit);
  } finally {
    await kit.stop();
  }
}

/** @returns each run's duration, in milliseconds */
async function measureDurations(count: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < count; index++) {
    const begin = performance.now();
    await work(index);
    all.push(performance.now() - begin);
  }
  return all;
}

const createDurationRow = (what: string, times: readonly number[], atMost?: number): Row => ({
  what,
  unit: 'ms',
  figures: { time: calculateSpread(times) },
  ...(atMost !== undefined && { target: { atMost } }),
});

export const measureSecondKit: Scenario = async ({ rounds }) => {
  const times = await withKit({}, async (kit) => {
    const all: number[] = [];
    for (let round = 0; round < rounds; round++) all.push(await kit.ask('second-kit'));
    return all;
  });
  return [createDurationRow('second createKit in the same process', times, 40)];
};

const IDLE_MS = 6000;

export const measureIdleKit: Scenario = async () => {
  const statements = await withKit({ countStatements: true }, async (kit) => {
    await pause(1000);
    const before = await kit.ask('statements');
    await pause(IDLE_MS);
    return (await kit.ask('statements')) - before;
  });
  const figures = { statements: calculateSpread([(statements * 60_000) / IDLE_MS]) };
  return [{ what: 'SQL statements of an idle kit on SQLite', unit: '/min', figures, target: { atMost: 0 } }];
};

export const measureSubscriptions: Scenario = async () => {
  const times = await withKit({ subscriptions: 10_000 }, ({ port }) => {
    const body = { provider: 'provider', types: ['provisioning.user.created'] };
    return measureDurations(REPETITIONS, () => send(port, { ...post('/_control/state/subscriptions', body), expect: 201 }));
  });
  return [createDurationRow('one more subscription, with 10,000 existing ones', times, 10)];
};

const USER_COUNT = 1_000_000;

export const measureDump: Scenario = (_, log) =>
  withKit({ users: USER_COUNT }, async (kit) => {
    const before = await kit.ask('memory');
    let [most, isOver] = [before, false];
    const watchMemory = async () => {
      for (; !isOver; await pause(50)) most = Math.max(most, await kit.ask('memory'));
    };
    const watching = watchMemory();
    const [ms = 0] = await measureDurations(1, async () => {
      const { body } = await request(`http://127.0.0.1:${kit.port}/_control/state`, { bodyTimeout: 0, headersTimeout: 0 });
      let bytes = 0;
      for await (const chunk of body) bytes += (chunk as Buffer).length;
      log(`${Math.round(bytes / BYTES_PER_MB)} MB`);
    });
    isOver = true;
    await watching;
    return [
      createDurationRow('dump of 1,000,000 users', [ms]),
      {
        what: 'memory added by the dump',
        unit: 'MB',
        figures: { memory: calculateSpread([(most - before) / BYTES_PER_MB]) },
        target: { atMost: 150 },
      },
    ];
  });

const STREAM_COUNT = 1000;

export const measureStreams: Scenario = () =>
  withKit({}, async ({ port, tokens }) => {
    const sendTwentyRequests = () =>
      measureDurations(1, () => measureDurations(REPETITIONS, () => send(port, get(`/users?accountId=${ACCOUNT_ID}`, tokens[0]!))));
    await sendTwentyRequests();
    const without = await sendTwentyRequests();
    const open = await Promise.all(
      Array.from({ length: STREAM_COUNT }, () =>
        request(`http://127.0.0.1:${port}/_control/stream`, { bodyTimeout: 0, headersTimeout: 0 }),
      ),
    );
    // Read the messages, because the operating system would slow down an unread stream.
    for (const { body } of open) body.on('error', () => {}).resume();
    const beside = await sendTwentyRequests();
    for (const { body } of open) body.destroy();
    return [createDurationRow('20 requests in a row', without), createDurationRow('20 requests in a row, with 1,000 open streams', beside)];
  });
