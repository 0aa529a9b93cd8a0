import { setTimeout as pause } from 'node:timers/promises';
import { get, post, type Request, send } from '../http.ts';
import { startKit } from '../processes.ts';
import { createRow, type Row, type Scenario } from '../report.ts';
import { compareContenders } from '../rounds.ts';
import { CHECK_PATH } from '../world.ts';

interface CreatedWorld {
  readonly path: string;
  readonly tokens: Readonly<Record<string, string>>;
}

const WORLD_COUNT = 100;
/** Enough for 60,000 assignability checks per second. */
const CLIENT_COUNT = 600;
const IDLE_MS = 6000;
const BYTES_PER_MB = 1 << 20;

export const measureWorlds: Scenario = async (options, log) => [
  ...(await measureCreation(log)),
  ...(await measureThroughput(options, log)),
];

/** Creates copies of a small world. */
async function measureCreation(log: (text: string) => void): Promise<Row[]> {
  await using kit = await startKit({ clients: 1, countStatements: true });
  const createWorld = async () => JSON.parse(await send(kit.port, { ...post('/_control/worlds', {}), expect: 201 })) as CreatedWorld;
  // The first world is slower, because it needs code that is loaded on demand.
  await createWorld();
  const before = await kit.ask('memory');
  const times: number[] = [];
  for (let n = 1; n < WORLD_COUNT; n++) {
    const begin = performance.now();
    await createWorld();
    times.push(performance.now() - begin);
  }
  const perWorld = ((await kit.ask('memory')) - before) / BYTES_PER_MB / times.length;
  const p99 = times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1]!;
  log(`${WORLD_COUNT} worlds`);
  await pause(1000);
  const [statements, cpu] = [await kit.ask('statements'), await kit.cpu()];
  await pause(IDLE_MS);
  const perMinute = (figure: number) => (figure * 60_000) / IDLE_MS;
  return [
    createRow('a new world', 'time', 'ms', times, { atMost: 10 }),
    createRow('a new world: p99', 'time', 'ms', [p99]),
    createRow('memory of a world', 'memory', 'MB', [perWorld], { atMost: 3 }),
    createRow(
      `SQL statements of ${WORLD_COUNT} idle worlds`,
      'statements',
      '/min',
      [perMinute((await kit.ask('statements')) - statements)],
      {
        atMost: 0,
      },
    ),
    createRow(`CPU time of ${WORLD_COUNT} idle worlds in a minute`, 'time', 'ms', [perMinute((await kit.cpu()) - cpu) / 1000]),
  ];
}

async function measureThroughput(options: Parameters<Scenario>[0], log: (text: string) => void): Promise<Row[]> {
  await using kit = await startKit({ clients: CLIENT_COUNT });
  const requests: Request[][] = [kit.tokens.map((token) => get(CHECK_PATH, token))];
  for (let n = 1; n < WORLD_COUNT; n++) {
    const { path, tokens } = JSON.parse(await send(kit.port, { ...post('/_control/worlds', {}), expect: 201 })) as CreatedWorld;
    requests.push(Object.values(tokens).map((token) => get(path + CHECK_PATH, token)));
  }
  const createContender = (count: number) => {
    // Consecutive requests go to different worlds. The number of tokens is the same, because a token's first verification is slower.
    const spread = Array.from({ length: CLIENT_COUNT }, (_, n) => requests[n % count]![Math.floor(n / count)]!);
    return { name: `${count} worlds`, server: kit, requests: spread };
  };
  const compare = await compareContenders([1, 10, WORLD_COUNT].map(createContender), options, log);
  return [10, WORLD_COUNT].map((count) => ({
    what: `assignability checks in ${count} worlds`,
    against: 'one world',
    unit: 'x',
    figures: compare(`${count} worlds`, '1 worlds'),
  }));
}
