import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { get, pageRequests, post, type Request, send } from '../http.ts';
import { type KitServer, startExpress, startKit, startPrism } from '../processes.ts';
import type { Options, Scenario } from '../report.ts';
import { type Comparison, type Contender, compare } from '../rounds.ts';
import type { KitSetup } from '../servers/kit.ts';
import { ACCOUNT, EXPERIENCE, FIRST_FREE_NUMBER, NUMBER } from '../world.ts';

/** So many that no client reaches its limit of 100 checks a second, however fast the machine is. */
const CLIENTS = 2000;

/** The assignability check of a number, with tokens that the kit has verified before. */
export const assignability: Scenario = async (options, log) => {
  const path = `/experience/experiences/${EXPERIENCE}/assignability?targetType=PHONE_NUMBER&targetValue=${encodeURIComponent(NUMBER)}`;
  const requestsOf = async ({ tokens }: KitServer) => tokens.map((token) => get(path, token));
  const { faster, absolutes } = await compareRead({ setup: { clients: CLIENTS }, path, requestsOf }, options, log);
  const [what, unit] = ['assignability check', 'x' as const];
  return {
    rows: [
      { what, against: 'bare Express', unit, figures: faster('kit', 'bare Express'), target: { atLeast: 0.45 } },
      { what, against: 'Prism', unit, figures: faster('kit', 'Prism'), target: { atLeast: 2.5 } },
    ],
    absolutes,
  };
};

/** Pages of 100 assignments, spread over an account. Prism answers its example, a page of one. */
export const page: Scenario = async (options, log) => {
  const path = `/experience/assignments?accountId=${ACCOUNT}&pageSize=100`;
  const requestsOf = ({ port, tokens }: KitServer) => pageRequests(port, path, tokens[0]!, 500);
  const { faster, absolutes } = await compareRead({ setup: { clients: 1, assignments: 100_000 }, path, requestsOf }, options, log);
  const [what, unit] = ['page of 100 of 100,000', 'x' as const];
  return {
    rows: [
      { what, against: 'bare Express', unit, figures: faster('kit', 'bare Express'), target: { atLeast: 0.35 } },
      { what, against: 'Prism (a page of 1)', unit, figures: faster('kit', 'Prism') },
    ],
    absolutes,
  };
};

interface Read {
  readonly setup: KitSetup;
  readonly path: string;
  readonly requestsOf: (kit: KitServer) => Promise<Request[]>;
}

/** Compares a read by the kit with bare Express, which sends the bytes of the kit's first response, and with Prism. */
async function compareRead({ setup, path, requestsOf }: Read, options: Options, log: (text: string) => void): Promise<Comparison> {
  const kit = await startKit(setup);
  const request = get(path, kit.tokens[0]!);
  const body = await send(kit.port, request);
  const express = await startExpress(body);
  const prism = await startPrism();
  try {
    if ((await send(express.port, request)) !== body) throw new Error(`${path}: Express and the kit send different bytes`);
    const requests = await requestsOf(kit);
    const contenders = [
      { name: 'kit', server: kit, job: () => ({ expect: 200, requests }) },
      { name: 'bare Express', server: express, job: () => ({ expect: 200, requests: [request] }) },
      { name: 'Prism', server: prism, job: () => ({ expect: 200, requests: [request] }) },
    ];
    return await compare(contenders, options, log);
  } finally {
    await Promise.all([kit.stop(), express.stop(), prism.stop()]);
  }
}

/** More than one core can create. */
const NUMBERS_PER_SECOND = 15_000;
const PLACEHOLDER = 'NATIONAL##';

/** Creates assignments of unassigned numbers, with their event and delivery: in memory, and in a file that survives a power cut. */
export const create: Scenario = async (options, log) => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-create-'));
  const numbers = Math.ceil((options.rounds * options.seconds + 2) * NUMBERS_PER_SECOND);
  const inMemory = await startKit({ clients: 1, numbers });
  const durable = await startKit({ clients: 1, numbers, data: join(folder, 'kit.db') });
  const express = await startExpress();
  const job: Contender['job'] = (sent) => {
    const body = { experienceId: EXPERIENCE, targetType: 'PHONE_NUMBER', targetValue: `+1${PLACEHOLDER}` };
    const requests = [post('/experience/assignments', body, inMemory.tokens[0])];
    return { expect: 201, requests, serial: { placeholder: PLACEHOLDER, from: FIRST_FREE_NUMBER + sent } };
  };
  try {
    const contenders = [
      { name: 'kit, in memory', server: inMemory, job },
      { name: 'kit, durable', server: durable, job },
      { name: 'bare Express', server: express, job },
    ];
    const { faster, absolutes } = await compare(contenders, options, log);
    const against = 'bare Express';
    return {
      rows: [
        { what: 'create, in memory', against, unit: 'x', figures: faster('kit, in memory', against) },
        { what: 'create, durable', against, unit: 'x', figures: faster('kit, durable', against), target: { atLeast: 0.3 } },
      ],
      absolutes,
    };
  } finally {
    await Promise.all([inMemory.stop(), durable.stop(), express.stop()]);
    await rm(folder, { recursive: true });
  }
};

const FEW = 1000;
const MANY = 1_000_000;

/** A page in an account of a million rows, compared with an account of a thousand: assignments, and users with their count. */
export const scale: Scenario = async (options, log) => {
  const small = await startKit({ clients: 1, assignments: FEW, users: FEW });
  log(`loading ${MANY} assignments and as many users`);
  const large = await startKit({ clients: 1, assignments: MANY, users: MANY });
  const lists = {
    assignments: `/experience/assignments?accountId=${ACCOUNT}&pageSize=100`,
    users: `/users?accountId=${ACCOUNT}&pageSize=100`,
  };
  try {
    const contenders: Contender[] = [];
    for (const [list, path] of Object.entries(lists)) {
      for (const [size, server] of Object.entries({ few: small, many: large })) {
        const requests = await pageRequests(server.port, path, server.tokens[0]!, 1000);
        contenders.push({ name: `${list}, ${size}`, server, job: () => ({ expect: 200, requests }) });
      }
    }
    const { faster, absolutes } = await compare(contenders, options, log);
    const common = { against: '1,000 rows', unit: 'x', target: { atMost: 2 } } as const;
    const row = (what: string, list: keyof typeof lists) => ({ what, ...common, figures: faster(`${list}, few`, `${list}, many`) });
    return { rows: [row('page at 1,000,000', 'assignments'), row('users page with count at 1,000,000', 'users')], absolutes };
  } finally {
    await Promise.all([small.stop(), large.stop()]);
  }
};
