import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPageRequests, get, post, type Request, send } from '../http.ts';
import { type KitServer, startExpress, startKit, startPeers, startPrism } from '../processes.ts';
import type { Options, Scenario } from '../report.ts';
import { type Comparison, type Contender, compareContenders } from '../rounds.ts';
import { ACCOUNT_ID, EXPERIENCE_ID, FIRST_FREE_NUMBER, type KitSetup, NUMBER } from '../world.ts';

/** Enough clients that none reaches the limit of 100 assignability checks per second for each client. */
const CLIENT_COUNT = 2000;

export const measureAssignability: Scenario = async (options, log) => {
  const path = `/experience/experiences/${EXPERIENCE_ID}/assignability?targetType=PHONE_NUMBER&targetValue=${encodeURIComponent(NUMBER)}`;
  const createRequests = async ({ port, tokens }: KitServer) => {
    const requests = tokens.map((token) => get(path, token));
    // Use all tokens before the measurement, because the first verification of a token is slower.
    for (const request of requests) await send(port, request);
    return requests;
  };
  const { faster, peers } = await compareRead({ setup: { clients: CLIENT_COUNT }, path, createRequests }, options, log);
  const common = { what: 'assignability check', unit: 'x' } as const;
  return [
    { ...common, against: 'bare Express', figures: faster('kit', 'bare Express'), target: { atLeast: 0.5 } },
    { ...common, against: 'Prism', figures: faster('kit', 'Prism'), target: { atLeast: 2.5 } },
    ...peers.map((against) => ({ ...common, against, figures: omitCpu(faster('kit', against)) })),
  ];
};

export const measurePage: Scenario = async (options, log) => {
  const path = `/experience/assignments?accountId=${ACCOUNT_ID}&pageSize=100`;
  const createRequests = ({ port, tokens }: KitServer) => createPageRequests(port, path, tokens[0]!, 500);
  const { faster, peers } = await compareRead({ setup: { clients: 1, assignments: 100_000 }, path, createRequests }, options, log);
  const common = { what: 'page of 100 out of 100,000 assignments', unit: 'x' } as const;
  return [
    { ...common, against: 'bare Express', figures: faster('kit', 'bare Express'), target: { atLeast: 0.45 } },
    { ...common, against: 'Prism (a page of 1)', figures: faster('kit', 'Prism') },
    ...peers.map((against) => ({ ...common, against: `${against} (its own example)`, figures: omitCpu(faster('kit', against)) })),
  ];
};

/** A `--peer` server may work in a child process, whose CPU time is not measured. */
function omitCpu({ 'CPU/request': _, ...others }: ReturnType<Comparison>): Omit<ReturnType<Comparison>, 'CPU/request'> {
  return others;
}

interface ReadScenario {
  readonly setup: KitSetup;
  readonly path: string;
  readonly createRequests: (kit: KitServer) => Promise<Request[]>;
}

async function compareRead(
  { setup, path, createRequests }: ReadScenario,
  options: Options,
  log: (text: string) => void,
): Promise<{ faster: Comparison; peers: readonly string[] }> {
  const kit = await startKit(setup);
  const request = get(path, kit.tokens[0]!);
  const body = await send(kit.port, request);
  const express = await startExpress(body);
  const prism = await startPrism();
  const peers = await startPeers(path);
  try {
    if ((await send(express.port, request)) !== body)
      throw new Error(`${path}: bare Express and the kit sent different responses, so their speeds are not comparable`);
    const requests = await createRequests(kit);
    const contenders = [
      { name: 'kit', server: kit, job: () => ({ expect: 200, requests }) },
      { name: 'bare Express', server: express, job: () => ({ expect: 200, requests: [request] }) },
      { name: 'Prism', server: prism, job: () => ({ expect: 200, requests: [request] }) },
      ...peers.map(({ name, server }) => ({ name, server, job: () => ({ expect: 200, requests: [request] }) })),
    ];
    const faster = await compareContenders(contenders, options, log);
    return { faster, peers: peers.map(({ name }) => name) };
  } finally {
    await Promise.all([kit, express, prism, ...peers.map(({ server }) => server)].map((server) => server.stop()));
  }
}

/** The number of telephone numbers to prepare per second of load. No kit assigns this many per second. */
const NUMBERS_PER_SECOND = 15_000;
const NUMBER_PLACEHOLDER = 'NATIONAL##';

export const measureCreate: Scenario = async (options, log) => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-create-'));
  const numbers = Math.ceil((options.rounds * options.seconds + 2) * NUMBERS_PER_SECOND);
  const inMemory = await startKit({ clients: 1, numbers });
  const durable = await startKit({ clients: 1, numbers, data: join(folder, 'kit.db') });
  const express = await startExpress();
  const createJob: Contender['job'] = (sent) => {
    const body = { experienceId: EXPERIENCE_ID, targetType: 'PHONE_NUMBER', targetValue: `+1${NUMBER_PLACEHOLDER}` };
    const requests = [post('/experience/assignments', body, inMemory.tokens[0])];
    return { expect: 201, requests, serial: { placeholder: NUMBER_PLACEHOLDER, from: FIRST_FREE_NUMBER + sent } };
  };
  try {
    const contenders = [
      { name: 'kit, in memory', server: inMemory, job: createJob },
      { name: 'kit, durable', server: durable, job: createJob },
      { name: 'bare Express', server: express, job: createJob },
    ];
    const faster = await compareContenders(contenders, options, log);
    const against = 'bare Express';
    return [
      { what: 'create an assignment in memory', against, unit: 'x', figures: faster('kit, in memory', against), target: { atLeast: 0.4 } },
      { what: 'create an assignment durably', against, unit: 'x', figures: faster('kit, durable', against), target: { atLeast: 0.25 } },
    ];
  } finally {
    await Promise.all([inMemory.stop(), durable.stop(), express.stop()]);
    await rm(folder, { recursive: true });
  }
};

const SMALL_LIST = 1000;
const LARGE_LIST = 1_000_000;

export const measureScale: Scenario = async (options, log) => {
  const small = await startKit({ clients: 1, assignments: SMALL_LIST, users: SMALL_LIST });
  log(`loading ${LARGE_LIST} assignments and ${LARGE_LIST} users`);
  const large = await startKit({ clients: 1, assignments: LARGE_LIST, users: LARGE_LIST });
  const lists = {
    assignments: `/experience/assignments?accountId=${ACCOUNT_ID}&pageSize=100`,
    users: `/users?accountId=${ACCOUNT_ID}&pageSize=100`,
  };
  try {
    const contenders: Contender[] = [];
    for (const [list, path] of Object.entries(lists)) {
      for (const [size, server] of Object.entries({ few: small, many: large })) {
        const requests = await createPageRequests(server.port, path, server.tokens[0]!, 1000);
        contenders.push({ name: `${list}, ${size}`, server, job: () => ({ expect: 200, requests }) });
      }
    }
    const faster = await compareContenders(contenders, options, log);
    const common = { against: 'a list of 1,000', unit: 'x', target: { atMost: 2 } } as const;
    const createRow = (what: string, list: keyof typeof lists) => ({ what, ...common, figures: faster(`${list}, few`, `${list}, many`) });
    return [
      createRow('page from a list of 1,000,000 assignments', 'assignments'),
      createRow('page from a list of 1,000,000 users, with count', 'users'),
    ];
  } finally {
    await Promise.all([small.stop(), large.stop()]);
  }
};
