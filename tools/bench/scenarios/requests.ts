import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPageRequests, get, NUMBER_PLACEHOLDER, post, type Request, send } from '../http.ts';
import { type KitServer, startExpress, startKit, startPeers, startPrism } from '../processes.ts';
import type { Options, Scenario } from '../report.ts';
import { type Comparison, type Contender, compareContenders } from '../rounds.ts';
import { ACCOUNT_ID, CHECK_PATH, EXPERIENCE_ID, type KitSetup } from '../world.ts';

/** Enough clients that none reaches the limit of 100 assignability checks per second for each client. */
const CLIENT_COUNT = 2000;

export const measureAssignability: Scenario = async (options, log) => {
  const path = CHECK_PATH;
  const createRequests = async ({ port, tokens }: KitServer) => {
    const requests = tokens.map((token) => get(path, token));
    // Use all tokens before the measurement, because the first verification of a token is slower.
    for (const request of requests) await send(port, request);
    return requests;
  };
  const what = 'assignability check';
  const { faster, peers } = await compareRead({ what, setup: { clients: CLIENT_COUNT }, path, createRequests }, options, log);
  const common = { what, unit: 'x' } as const;
  return [
    { ...common, against: 'bare Express', figures: faster('kit', 'bare Express'), target: { atLeast: 0.7 } },
    { ...common, against: 'Prism', figures: faster('kit', 'Prism'), target: { atLeast: 2.5 } },
    ...peers.map((against) => ({ ...common, against, figures: omitCpu(faster('kit', against)) })),
    ...faster.profiles,
  ];
};

export const measurePage: Scenario = async (options, log) => {
  const path = `/experience/assignments?accountId=${ACCOUNT_ID}&pageSize=100`;
  const createRequests = ({ port, tokens }: KitServer) => createPageRequests(port, path, tokens[0]!, 500);
  const what = 'page of 100 out of 100,000 assignments';
  const { faster, peers } = await compareRead({ what, setup: { clients: 1, assignments: 100_000 }, path, createRequests }, options, log);
  const common = { what, unit: 'x' } as const;
  return [
    { ...common, against: 'bare Express', figures: faster('kit', 'bare Express'), target: { atLeast: 0.55 } },
    { ...common, against: 'Prism (a page of 1)', figures: faster('kit', 'Prism') },
    ...peers.map((against) => ({ ...common, against: `${against} (its own example)`, figures: omitCpu(faster('kit', against)) })),
    ...faster.profiles,
  ];
};

/** A `--peer` server may work in a child process, whose CPU time is not measured. */
function omitCpu({ 'CPU/request': _, ...others }: ReturnType<Comparison>): Omit<ReturnType<Comparison>, 'CPU/request'> {
  return others;
}

interface ReadScenario {
  readonly what: string;
  readonly setup: KitSetup;
  readonly path: string;
  readonly createRequests: (kit: KitServer) => Promise<Request[]>;
}

async function compareRead(
  { what, setup, path, createRequests }: ReadScenario,
  options: Options,
  log: (text: string) => void,
): Promise<{ faster: Comparison; peers: readonly string[] }> {
  await using kit = await startKit(setup);
  const request = get(path, kit.tokens[0]!);
  const body = await send(kit.port, request);
  await using express = await startExpress(body);
  await using prism = await startPrism();
  await using cleanup = new AsyncDisposableStack();
  const peers = await startPeers(path);
  for (const { server } of peers) cleanup.use(server);
  if ((await send(express.port, request)) !== body)
    throw new Error(`${path}: bare Express and the kit sent different responses, so their speeds are not comparable`);
  const contenders = [
    { name: 'kit', server: kit, requests: await createRequests(kit), profiled: what },
    { name: 'bare Express', server: express, requests: [request] },
    { name: 'Prism', server: prism, requests: [request] },
    ...peers.map((peer) => ({ ...peer, requests: [request] })),
  ];
  return { faster: await compareContenders(contenders, options, log), peers: peers.map(({ name }) => name) };
}

/** The number of telephone numbers to prepare per second of load. No kit assigns this many per second. */
const NUMBERS_PER_SECOND = 15_000;

export const measureCreate: Scenario = async (options, log) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'bench-create-'));
  const numbers = Math.ceil(((options.rounds + 1) * options.seconds + 2) * NUMBERS_PER_SECOND);
  await using inMemory = await startKit({ clients: 1, numbers });
  await using durable = await startKit({ clients: 1, numbers, data: join(folder.path, 'kit.db') });
  await using express = await startExpress();
  const body = { experienceId: EXPERIENCE_ID, targetType: 'PHONE_NUMBER', targetValue: `+1${NUMBER_PLACEHOLDER}` };
  const load = { requests: [post('/experience/assignments', body, inMemory.tokens[0])], expect: 201 };
  const contenders = [
    { name: 'kit, in memory', server: inMemory, ...load, profiled: 'create an assignment in memory' },
    { name: 'kit, durable', server: durable, ...load, profiled: 'create an assignment durably' },
    { name: 'bare Express', server: express, ...load },
  ];
  const faster = await compareContenders(contenders, options, log);
  const against = 'bare Express';
  return [
    { what: 'create an assignment in memory', against, unit: 'x', figures: faster('kit, in memory', against), target: { atLeast: 0.45 } },
    { what: 'create an assignment durably', against, unit: 'x', figures: faster('kit, durable', against), target: { atLeast: 0.3 } },
    ...faster.profiles,
  ];
};

const SMALL_LIST = 1000;
const LARGE_LIST = 1_000_000;

export const measureScale: Scenario = async (options, log) => {
  await using small = await startKit({ clients: 1, assignments: SMALL_LIST, users: SMALL_LIST });
  log(`loading ${LARGE_LIST} assignments and ${LARGE_LIST} users`);
  await using large = await startKit({ clients: 1, assignments: LARGE_LIST, users: LARGE_LIST });
  const lists = {
    assignments: `/experience/assignments?accountId=${ACCOUNT_ID}&pageSize=100`,
    users: `/users?accountId=${ACCOUNT_ID}&pageSize=100`,
  };
  const contenders: Contender[] = [];
  for (const [list, path] of Object.entries(lists)) {
    for (const [size, server] of Object.entries({ few: small, many: large })) {
      const requests = await createPageRequests(server.port, path, server.tokens[0]!, 1000);
      contenders.push({ name: `${list}, ${size}`, server, requests });
    }
  }
  const faster = await compareContenders(contenders, options, log);
  const common = { against: 'a list of 1,000', unit: 'x', target: { atMost: 2 } } as const;
  return [
    { what: 'page from a list of 1,000,000 assignments', ...common, figures: faster('assignments, few', 'assignments, many') },
    { what: 'page from a list of 1,000,000 users, with count', ...common, figures: faster('users, few', 'users, many') },
  ];
};
