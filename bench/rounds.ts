import { answerOf, end, repositoryFile, startNode } from './child.ts';
import type { Job, Load } from './load/generator.ts';
import type { Options } from './options.ts';
import type { Absolute } from './report.ts';
import type { Server } from './server.ts';
import { type Spread, spreadOf } from './spread.ts';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1;

/** One of those that are compared: a server and what is asked of it. */
export interface Contender {
  readonly name: string;
  readonly server: Server;
  /** @param sent how many requests it has been sent so far. */
  readonly job: (sent: number) => Pick<Job, 'expect' | 'requests' | 'serial'>;
}

/** What a contender did in one round. */
interface Window {
  readonly requestsPerSecond: number;
  readonly cpuMicrosPerRequest: number;
}

export interface Comparison {
  /** How many times as fast the first is as the second: in each round by itself, so that what slows the machine slows both. */
  faster(name: string, than: string): { 'requests/s': Spread; 'CPU/request': Spread };
  readonly absolutes: Omit<Absolute, 'scenario'>[];
}

/** Puts contenders under load in turn, round by round, every other round in the opposite order; all are warm before the first. */
export async function compare(
  contenders: readonly Contender[],
  { rounds, seconds }: Options,
  say: (text: string) => void,
): Promise<Comparison> {
  const generator = startNode('load', [repositoryFile('bench/load/generator.ts')]);
  const sent = new Map<string, number>();
  const windows = new Map<string, Window[]>(contenders.map(({ name }) => [name, []]));

  async function measure({ name, server, job }: Contender, duration: number): Promise<Window> {
    const before = await server.cpu();
    const from = sent.get(name) ?? 0;
    const request: Job = { port: server.port, connections: CONNECTIONS, seconds: duration, ...job(from) };
    const load = await answerOf<Load>(generator, request);
    if (load.error !== undefined) throw new Error(`${name}: ${load.error}`);
    sent.set(name, from + load.requests);
    const cpu = (await server.cpu()) - before;
    return { requestsPerSecond: load.requests / load.seconds, cpuMicrosPerRequest: cpu / load.requests };
  }

  try {
    for (const contender of contenders) await measure(contender, WARM_UP_SECONDS);
    for (let round = 0; round < rounds; round++) {
      for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
        const window = await measure(contender, seconds);
        windows.get(contender.name)!.push(window);
        const { requestsPerSecond, cpuMicrosPerRequest } = window;
        say(
          `round ${round + 1}/${rounds}  ${contender.name}  ${requestsPerSecond.toFixed(0)} requests/s  ${cpuMicrosPerRequest.toFixed(0)} µs CPU`,
        );
      }
    }
  } finally {
    await end(generator);
  }

  const of = (name: string) => windows.get(name)!;
  return {
    faster: (name, than) => ({
      'requests/s': spreadOf(of(name).map((window, i) => window.requestsPerSecond / of(than)[i]!.requestsPerSecond)),
      'CPU/request': spreadOf(of(name).map((window, i) => of(than)[i]!.cpuMicrosPerRequest / window.cpuMicrosPerRequest)),
    }),
    absolutes: contenders.map(({ name }) => ({
      contender: name,
      requestsPerSecond: spreadOf(of(name).map((window) => window.requestsPerSecond)),
      cpuMicrosPerRequest: spreadOf(of(name).map((window) => window.cpuMicrosPerRequest)),
    })),
  };
}
