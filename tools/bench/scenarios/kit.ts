import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { get, post, send } from '../http.ts';
import { startKit } from '../processes.ts';
import { createProfileRow } from '../profile.ts';
import { createRow, type Scenario } from '../report.ts';
import { ACCOUNT_ID } from '../world.ts';

const BYTES_PER_MB = 1 << 20;
const REPETITIONS = 20;

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

export const measureSecondKit: Scenario = async ({ rounds }) => {
  await using kit = await startKit({ clients: 1 });
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await kit.ask('second-kit'));
  const what = 'second createKit in the same process';
  const profile = await kit.profile(() => kit.ask('second-kit'));
  return [createRow(what, 'time', 'ms', times, { atMost: 15 }), createProfileRow(what, profile)];
};

const IDLE_MS = 6000;

export const measureIdleKit: Scenario = async () => {
  await using kit = await startKit({ clients: 1, countStatements: true });
  await pause(1000);
  const before = await kit.ask('statements');
  await pause(IDLE_MS);
  const statements = (await kit.ask('statements')) - before;
  return [createRow('SQL statements of an idle kit on SQLite', 'statements', '/min', [(statements * 60_000) / IDLE_MS], { atMost: 0 })];
};

export const measureSubscriptions: Scenario = async () => {
  await using kit = await startKit({ clients: 1, subscriptions: 10_000 });
  const creation = {
    ...post('/_control/state/subscriptions', { provider: 'provider', types: ['provisioning.user.created'] }),
    expect: 201,
  };
  const times = await measureDurations(REPETITIONS, () => send(kit.port, creation));
  return [createRow('one more subscription, with 10,000 existing ones', 'time', 'ms', times, { atMost: 10 })];
};

const USER_COUNT = 1_000_000;

export const measureDump: Scenario = async (_, log) => {
  await using kit = await startKit({ clients: 1, users: USER_COUNT });
  const before = await kit.ask('memory');
  let [most, isOver] = [before, false];
  const watchMemory = async () => {
    for (; !isOver; await pause(50)) most = Math.max(most, await kit.ask('memory'));
  };
  const watching = watchMemory();
  const times = await measureDurations(1, async () => {
    const { body } = await request(`http://127.0.0.1:${kit.port}/_control/state`, { bodyTimeout: 0, headersTimeout: 0 });
    let bytes = 0;
    for await (const chunk of body) bytes += (chunk as Buffer).length;
    log(`${Math.round(bytes / BYTES_PER_MB)} MB`);
  });
  isOver = true;
  await watching;
  return [
    createRow('dump of 1,000,000 users', 'time', 'ms', times),
    createRow('memory added by the dump', 'memory', 'MB', [(most - before) / BYTES_PER_MB], { atMost: 150 }),
  ];
};

const STREAM_COUNT = 1000;

export const measureStreams: Scenario = async () => {
  await using kit = await startKit({ clients: 1 });
  const { port, tokens } = kit;
  const sendTwentyRequests = () =>
    measureDurations(1, () => measureDurations(REPETITIONS, () => send(port, get(`/users?accountId=${ACCOUNT_ID}`, tokens[0]!))));
  await sendTwentyRequests();
  const without = await sendTwentyRequests();
  const open = await Promise.all(
    Array.from({ length: STREAM_COUNT }, () => request(`http://127.0.0.1:${port}/_control/stream`, { bodyTimeout: 0, headersTimeout: 0 })),
  );
  // Read the messages, because the operating system would slow down an unread stream.
  for (const { body } of open) body.on('error', () => {}).resume();
  const beside = await sendTwentyRequests();
  for (const { body } of open) body.destroy();
  return [
    createRow('20 requests in a row', 'time', 'ms', without),
    createRow('20 requests in a row, with 1,000 open streams', 'time', 'ms', beside),
  ];
};
