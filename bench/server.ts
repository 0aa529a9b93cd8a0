import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../src/store/testing/free-port.ts';
import { answerOf, end, repositoryFile, startNode } from './child.ts';
import type { KitSetup, StartedKit } from './servers/kit.ts';

/** A server under measurement, in a process of its own. */
export interface Server {
  readonly port: number;
  /** User and system time of its process so far, in microseconds. */
  cpu(): Promise<number>;
  stop(): Promise<void>;
}

const REPORTER = ['--import', repositoryFile('bench/servers/report-cpu.mjs')];
const PRISM = 'node_modules/@stoplight/prism-cli/dist/index.js';

/** The built kit with a world of the bench. */
export async function startKit(setup: KitSetup): Promise<Server & StartedKit> {
  const child = startNode('server', [...REPORTER, repositoryFile('bench/servers/kit.ts'), JSON.stringify(setup)]);
  const started = await answerOf<StartedKit>(child);
  return { ...started, ...serverOf(child) };
}

/** Bare Express. @param texts the JSON texts that it answers: of an assignability check and of a page. */
export async function startExpress(texts: { assignability?: string; page?: string } = {}): Promise<Server> {
  const port = await freePort();
  const child = startNode('server', [...REPORTER, repositoryFile('bench/servers/bare-express.mjs'), String(port)]);
  child.send(texts);
  await firstAnswer(port, '/health');
  return { port, ...serverOf(child) };
}

/** `prism mock` on the bundled contract: it answers examples and keeps no state. */
export async function startPrism(): Promise<Server> {
  const port = await freePort();
  const child = startNode('server', [...REPORTER, ...prismArguments(port)]);
  await firstAnswer(port, '/experience/assignments?accountId=0190f000-0000-7000-8000-000000000001', 'Bearer any');
  return { port, ...serverOf(child) };
}

export function prismArguments(port: number): string[] {
  const contract = repositoryFile('dist/src/contract/generated/openapi.json');
  return [repositoryFile(PRISM), 'mock', '-v', 'silent', '-h', '127.0.0.1', '-p', String(port), contract];
}

function serverOf(child: ReturnType<typeof startNode>): Omit<Server, 'port'> {
  return {
    cpu: async () => (await answerOf<{ cpu: number }>(child, { report: 'cpu' })).cpu,
    stop: () => end(child),
  };
}

/** Asks until the answer is 200. */
export async function firstAnswer(port: number, path: string, authorization?: string): Promise<void> {
  for (let tries = 0; tries < 10_000; tries++) {
    const status = await new Promise<number>((resolve) => {
      const request = get({ port, path, host: '127.0.0.1', agent: false, headers: authorization ? { authorization } : {} }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      });
      request.once('error', () => resolve(0));
    });
    if (status === 200) return;
    await pause(2);
  }
  throw new Error(`nothing answers ${path} on port ${port}`);
}
