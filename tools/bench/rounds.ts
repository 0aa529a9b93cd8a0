import type { LoadJob, LoadResult } from './load-generator.ts';
import { endProcess, requestMessage, resolveRepositoryFile, type Server, startNode } from './processes.ts';
import { createProfileRow } from './profile.ts';
import { calculateSpread, type Options, type Row, type Spread } from './report.ts';
import { FIRST_FREE_NUMBER } from './world.ts';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1;

export interface Contender {
  readonly name: string;
  readonly server: Server;
  /** The kit's other replicas. The `server` and each of these replicas get the same number of requests. */
  readonly otherReplicas?: readonly Server[];
  readonly requests: LoadJob['requests'];
  /** The expected status of requests that do not set their own. Default: 200. */
  readonly expect?: number;
  /** Adds a row that says what the server's CPU works for during another load. */
  readonly profiled?: string;
}

interface Measurement {
  readonly requestsPerSecond: number;
  readonly cpuMicrosPerRequest: number;
  readonly p99: number;
}

/** Returns the ratio of `name`'s speed to `than`'s speed. Compares only measurements from the same round. */
export interface Comparison {
  (name: string, than: string): { 'requests/s': Spread; 'CPU/request': Spread; p99: Spread };
  readonly profiles: readonly Row[];
}

/** Yields all items in every round, with the round's name. Every second round reverses the order. */
export function* alternate<Item>(items: readonly Item[], rounds: number): Generator<[round: string, item: Item]> {
  for (let round = 0; round < rounds; round++)
    for (const item of round % 2 === 0 ? items : items.toReversed()) yield [`round ${round + 1}/${rounds}`, item];
}

/** Warms up all contenders, then measures them in turn. */
export async function compareContenders(
  contenders: readonly Contender[],
  { rounds, seconds }: Options,
  log: (text: string) => void,
): Promise<Comparison> {
  const generator = startNode('load', [resolveRepositoryFile('tools/bench/load-generator.ts')]);
  const sent = new Map<string, number>();
  const measurements = new Map<string, Measurement[]>(contenders.map(({ name }) => [name, []]));
  const profiles: Row[] = [];

  async function measure({ name, server, otherReplicas = [], requests, expect = 200 }: Contender, duration: number): Promise<Measurement> {
    const servers = [server, ...otherReplicas];
    const readCpu = async () => (await Promise.all(servers.map((each) => each.cpu()))).reduce((sum, cpu) => sum + cpu);
    const before = await readCpu();
    const sentBefore = sent.get(name) ?? 0;
    const job = { ports: servers.map(({ port }) => port), connections: CONNECTIONS, seconds: duration, requests, expect };
    const load = await requestMessage<LoadResult>(generator, { ...job, firstNumber: FIRST_FREE_NUMBER + sentBefore } satisfies LoadJob);
    if (load.error !== undefined) throw new Error(`${name}: ${load.error}`);
    sent.set(name, sentBefore + load.requests);
    const cpu = (await readCpu()) - before;
    return { requestsPerSecond: load.requests / load.seconds, cpuMicrosPerRequest: cpu / load.requests, p99: load.p99 };
  }

  try {
    for (const contender of contenders) await measure(contender, WARM_UP_SECONDS);
    for (const [round, contender] of alternate(contenders, rounds)) {
      const measurement = await measure(contender, seconds);
      measurements.get(contender.name)!.push(measurement);
      const { requestsPerSecond, cpuMicrosPerRequest } = measurement;
      log(`${round}  ${contender.name}  ${requestsPerSecond.toFixed(0)} requests/s  ${cpuMicrosPerRequest.toFixed(0)} µs CPU`);
    }
    for (const contender of contenders) {
      if (contender.profiled === undefined) continue;
      const profile = await contender.server.profile(() => measure(contender, seconds));
      profiles.push(createProfileRow(contender.profiled, profile));
    }
  } finally {
    await endProcess(generator);
  }

  const compareTwo = (name: string, than: string) => {
    const compare = (measure: keyof Measurement, calculateRatio: (own: number, other: number) => number) =>
      calculateSpread(measurements.get(name)!.map((own, round) => calculateRatio(own[measure], measurements.get(than)![round]![measure])));
    return {
      'requests/s': compare('requestsPerSecond', (own, other) => own / other),
      'CPU/request': compare('cpuMicrosPerRequest', (own, other) => other / own),
      p99: compare('p99', (own, other) => other / own),
    };
  };
  return Object.assign(compareTwo, { profiles });
}
