import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startRoundRobin } from '../../conformance/proof/targets/round-robin.ts';
import { freePort } from '../../src/store/testing/free-port.ts';
import { CHECKS_PER_SECOND, findOverruns, startChecks } from './checks.ts';
import { ACCOUNT_ALIAS, type KitProcess, startKit, writeFixtures } from './kits.ts';
import { Ledger } from './ledger.ts';
import { startLogins } from './logins.ts';
import { requestToken, sendToControl } from './reads.ts';
import { startRecorder } from './receivers.ts';
import type { Report } from './report.ts';
import { hasFewPendingDeliveries, verifyWrites } from './verify.ts';
import { startWriters } from './writers.ts';

const REPLICA_COUNT = 3;
const SUBSCRIPTION_COUNT = 2;
const WRITER_COUNT = 8;

export interface Cluster {
  readonly ledger: Ledger;
  progress(): string;
  readonly slots: readonly number[];
  countRunning(): number;
  /** Stops a replica. From then on, the proxy sends no requests to the replica. */
  stop(slot: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  start(slot: number): Promise<void>;
}

/** Runs `disturb` on replicas while clients use them. Then verifies that no acknowledged write was lost. */
export async function disturbReplicas(
  database: string,
  log: (line: string) => void,
  disturb: (cluster: Cluster) => Promise<Report>,
): Promise<Report> {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(await mkdtempDisposable(join(tmpdir(), 'chaos-'))).path;
  const recorder = cleanup.use(await startRecorder());
  const ledger = new Ledger();
  const run = { ledger, recorder, subscriptions: SUBSCRIPTION_COUNT };
  const addresses: string[] = [];
  const badExits: string[] = [];
  const proxy = cleanup.use(await startRoundRobin(addresses));
  const replicas: (KitProcess | undefined)[] = Array(REPLICA_COUNT).fill(undefined);
  cleanup.defer(async () => void (await Promise.all(replicas.map((replica) => replica?.kill()))));
  const fixtures = writeFixtures(folder, Array(SUBSCRIPTION_COUNT).fill(recorder.url));
  const settings = ['--fixtures', fixtures, '--public-url', proxy.url, '--set', 'events.delivery.retry-schedule=fast'];

  async function start(slot: number): Promise<void> {
    // Choose the port here, because a kit with a public URL does not print its own address.
    const port = await freePort();
    const replica = await startKit(['--port', String(port), '--database', database, ...settings], log);
    const url = `http://127.0.0.1:${port}`;
    replicas[slot] = { ...replica, url };
    addresses.push(url);
  }

  async function stop(slot: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const replica = replicas[slot]!;
    replicas[slot] = undefined;
    addresses.splice(addresses.indexOf(replica.url), 1);
    if (signal === 'SIGKILL') return replica.kill();
    const status = await replica.stop();
    if (status !== 0) badExits.push(`a replica exited with ${status} after SIGTERM`);
  }

  for (const slot of replicas.keys()) await start(slot);
  await keepJournal(database);
  const readId = async (path: string) => (await sendToControl<{ id: string }>(proxy.url, 'GET', `/state/${path}`)).id;
  const checks = startChecks({
    url: proxy.url,
    token: await requestToken(proxy.url, 'checker'),
    accountId: await readId(`accounts/${ACCOUNT_ALIAS}`),
    ledger,
  });
  const stopWriters = startWriters({
    kits: [proxy],
    ledger,
    token: await requestToken(proxy.url),
    writersPerKit: WRITER_COUNT,
    mayWrite: () => hasFewPendingDeliveries(run),
  });
  const logins = startLogins({
    url: proxy.url,
    ledger,
    clientId: await readId('clients/client'),
    principalId: await readId('principals/principal'),
  });
  const stopLoad = async () => void (await Promise.all([stopWriters(), checks.stop(), logins.stop()]));
  cleanup.defer(stopLoad);
  const disturbance = await disturb({
    ledger,
    progress: () =>
      `${ledger.acknowledged} writes acknowledged, ${recorder.counts.received} deliveries received, ${checks.passed.length} checks passed, ${logins.counts.logins} logins`,
    slots: [...replicas.keys()],
    countRunning: () => addresses.length,
    stop,
    start,
  });
  await stopLoad();
  log('waiting until no delivery is pending');
  const writes = await verifyWrites(proxy.url, run);
  const { overruns, most } = findOverruns(checks.passed, CHECKS_PER_SECOND);
  const recorded = await readJournal(proxy.url);
  return {
    counts: {
      ...disturbance.counts,
      ...writes.counts,
      ...{
        'checks passed': checks.passed.length,
        'checks refused': checks.counts.refused,
        'largest number of checks passed in a second': most,
      },
      ...logins.counts,
      ...{ 'responses with 503': ledger.unavailable, 'journal entries': recorded.size, 'entries expected': ledger.requests.length },
    },
    problems: {
      ...disturbance.problems,
      ...writes.problems,
      'failed logins, and codes redeemed twice or never': logins.problems,
      'rate limit exceeded': overruns,
      'rate limit never reached':
        checks.counts.refused === 0
          ? [
              'every check was accepted, so the rate limit was not tested: the machine is too busy to send more checks than the limit allows',
            ]
          : [],
      'replicas with an error status after SIGTERM': badExits,
      'changes that were acknowledged but have no journal entry': ledger.requests.filter((traceId) => !recorded.has(traceId)),
    },
  };
}

/** Makes the journal keep all entries until the end of a run, not only the newest 1000. */
async function keepJournal(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query(`create function keep() returns trigger language plpgsql as 'begin return null; end';
    create trigger keep before delete on journal_entries for each row execute function keep()`);
  await client.end();
}

async function readJournal(url: string): Promise<ReadonlySet<string>> {
  const traceIds = new Set<string>();
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const page = await sendToControl<{ number: number; traceId: string }[]>(
      url,
      'GET',
      `/requests?view=summary&limit=1000&before=${before}`,
    );
    for (const { traceId } of page) traceIds.add(traceId);
    if (page.length === 0) return traceIds;
    before = page.at(-1)!.number;
  }
}
