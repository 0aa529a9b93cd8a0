import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventTypes } from '../../src/contract/generated/events.ts';
import { createDatabase } from '../../src/store/testing/postgres.ts';
import type { World } from '../../src/world/world.ts';
import { type KitProcess, sendRequest, startKit } from './kits.ts';
import { type EntityKind, findProblems, Ledger } from './ledger.ts';
import { measureMemory, sendToControl } from './reads.ts';
import { parseEvent, startEndpoint } from './receivers.ts';
import type { Report } from './report.ts';
import { waitWhileProgressing } from './verify.ts';
import { startWriters } from './writers.ts';

const REPLICA_COUNT = 3;
/** The maximum number of a provider's pending deliveries. At the maximum, its writers pause. */
const MAX_PENDING_DELIVERIES = 30;
/** The maximum growth of a replica's heap after the first quarter of the run, in megabytes. */
const MAX_HEAP_GROWTH_MB = 100;

const createUuid = (group: number, n: number) => `0190f000-0000-7000-800${group}-${String(n).padStart(12, '0')}`;

interface Tenant {
  /** The alias that the provider, its Experience and its account share in the fixtures. */
  readonly alias: string;
  readonly experienceId: string;
  readonly accountId: string;
  readonly token: string;
  readonly ledger: Ledger;
  readonly delivered: Map<string, Set<string>>;
}

/** Makes separate providers write at the same time, and try to read each other's entities. */
export async function testProviders(size: { providers: number; seconds: number }, log: (line: string) => void): Promise<Report> {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(await mkdtempDisposable(join(tmpdir(), 'chaos-'))).path;
  const tenants: Tenant[] = [];
  const receiver = await startEndpoint((body, response, { url }) => {
    tenants[Number(url!.split('/').at(-1))]!.delivered.set(parseEvent(body).name, new Set(['its own']));
    response.writeHead(204).end();
  });
  cleanup.use(receiver);
  const replicas: KitProcess[] = [];
  const leaks: string[] = [];
  const fixtures = join(folder, 'world.yaml');
  await writeFile(fixtures, JSON.stringify(createWorld(size.providers, receiver.url)));
  const database = await createDatabase();
  for (let n = 0; n < REPLICA_COUNT; n++) replicas.push(cleanup.use(await startKit(['--database', database, '--fixtures', fixtures], log)));
  const [{ url }] = replicas as [KitProcess];
  const { tokens } = await sendToControl<{ tokens: Record<string, string> }>(url, 'GET', '/info');
  for (let n = 0; n < size.providers; n++)
    tenants.push({
      ...{ alias: `tenant-${n}`, experienceId: createUuid(1, n), accountId: createUuid(2, n), token: tokens[`tenant-${n}`]! },
      ...{ ledger: new Ledger(), delivered: new Map() },
    });
  let isRunning = true;
  const writers = tenants.map(({ alias, experienceId, token, ledger, delivered }, n) => {
    const mayWrite = () => ledger.events.length - delivered.size < MAX_PENDING_DELIVERIES;
    const kits = [replicas[n % REPLICA_COUNT], replicas[(n + 1) % REPLICA_COUNT]];
    return startWriters({ kits, ledger, token, writersPerKit: 1, mayWrite, account: alias, experienceId });
  });
  const spying = replicas.map(async (replica, slot) => {
    for (let n = slot; isRunning; n += REPLICA_COUNT) leaks.push(...(await findLeaks(replica.url, tenants, n)));
  });
  const stopLoad = async () => {
    isRunning = false;
    await Promise.all([...spying, ...writers.map((stop) => stop())]);
  };
  cleanup.defer(stopLoad);
  const total = (count: (tenant: Tenant) => number) => tenants.reduce((sum, tenant) => sum + count(tenant), 0);
  await pause((size.seconds * 1000) / 4);
  const before = await Promise.all(replicas.map(measureMemory));
  await pause((size.seconds * 3000) / 4);
  await stopLoad();
  log(`${total(({ ledger }) => ledger.acknowledged)} writes acknowledged; waiting until no delivery is pending`);
  const isSettled = () => tenants.every(({ ledger, delivered }) => ledger.events.every((event) => delivered.has(event)));
  await waitWhileProgressing(isSettled, () => total(({ delivered }) => delivered.size));
  const after = await Promise.all(replicas.map(measureMemory));
  const differences = await findDifferences(url, tenants);
  const formatFigures = (kind: 'rss' | 'heap') =>
    before.map((memory, n) => `${memory[kind].toFixed(0)}-${after[n]![kind].toFixed(0)}`).join(' ');
  return {
    counts: {
      ...{ providers: size.providers, replicas: REPLICA_COUNT, 'writes acknowledged': total(({ ledger }) => ledger.acknowledged) },
      ...{
        'deliveries received': total(({ delivered }) => delivered.size),
        'responses with 503': total(({ ledger }) => ledger.unavailable),
        'MB of RSS': formatFigures('rss'),
        'MB of heap': formatFigures('heap'),
      },
    },
    problems: {
      leaks,
      differences,
      'unexpected responses': tenants.flatMap(({ ledger }) => ledger.refusals),
      'requests without a response': total(({ ledger }) => ledger.cutOff) > 0 ? ['at least one'] : [],
      'memory grows': after.flatMap(({ heap }, n) => (heap - before[n]!.heap > MAX_HEAP_GROWTH_MB ? [`replica ${n}`] : [])),
    },
  };
}

function createWorld(count: number, receiver: string): World {
  const each = <T>(create: (alias: string, n: number) => T) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`tenant-${n}`, create(`tenant-${n}`, n)]));
  return {
    world: 'providers',
    providers: each((name) => ({ name })),
    experiences: each((name, n) => ({ id: createUuid(1, n), provider: name, name, type: 'GENERAL' as const })),
    accounts: each((name, n) => ({ id: createUuid(2, n), name })),
    principals: each((name) => ({ name, accounts: { [name]: 'manage' as const } })),
    clients: each((name) => ({ provider: name, name })),
    assignments: each((name) => ({ experience: name, targetType: 'ACCOUNT' as const, target: name })),
    subscriptions: each((name, n) => ({ provider: name, types: [...eventTypes], destinationUrl: `${receiver}/${n}` })),
    tokens: each((name) => ({ client: name, principal: name })),
  };
}

async function findLeaks(url: string, tenants: readonly Tenant[], index: number): Promise<string[]> {
  const own = tenants[index % tenants.length]!;
  const other = tenants[(index + 1 + Math.floor(Math.random() * (tenants.length - 1))) % tenants.length]!;
  const [latest] = [...other.ledger.entities].slice(-1);
  const paths = [
    `/experience/assignments?accountId=${other.accountId}`,
    `/experience/assignments?accountId=${own.accountId}&experienceId=${other.experienceId}`,
    `/users?accountId=${other.accountId}`,
    `/experiences/${other.experienceId}/assignability?targetType=ACCOUNT&targetValue=${other.accountId}`,
    ...(latest ? [latest[1].kind === 'users' ? `/users/${latest[0]}` : `/experience/assignments/${latest[0]}`] : []),
  ];
  const leaks: string[] = [];
  for (const path of paths) {
    const { status, text } = await sendRequest(url, 'GET', path, undefined, own.token);
    const { entities, count = 0 } = JSON.parse(text) as { entities?: unknown[]; count?: number };
    const isEmptyPage = entities?.length === 0 && count === 0;
    if (![403, 404, 429, 503].includes(status) && !isEmptyPage) leaks.push(`${own.alias}: GET ${path}: ${status} ${text}`);
  }
  return leaks;
}

async function findDifferences(url: string, tenants: readonly Tenant[]): Promise<string[]> {
  const users = Object.values(await sendToControl<Record<string, { id: string; account: string }>>(url, 'GET', '/state/users'));
  const all = await sendToControl<Record<string, { id: string; experience: string }>>(url, 'GET', '/state/assignments');
  return tenants.flatMap(({ alias, ledger, delivered }) => {
    const existing = new Map<string, EntityKind>();
    for (const { id, account } of users) if (account === alias) existing.set(id, 'users');
    for (const [name, { id, experience }] of Object.entries(all))
      if (experience === alias && name !== alias) existing.set(id, 'assignments');
    const problems = Object.values(findProblems({ existing, ledger, delivered, subscriptions: 1 })).flat();
    const foreign = [...delivered.keys()].filter((event) => !ledger.entities.has(event.split(' ')[1]!));
    return [...problems, ...foreign.map((event) => `received ${event}`)].map((problem) => `${alias}: ${problem}`);
  });
}
