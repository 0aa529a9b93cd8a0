import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../src/store/testing/free-port.ts';
import type { KitSetup, StartedKit } from './servers/kit.ts';

/** Servers and the load generator run on different cores, if the machine has them. */
type Core = 'server' | 'load';

const CORES: Record<Core, string> = { server: '0', load: '1' };

/** Whether processes can be pinned to a core. Otherwise figures by requests per second mean little. */
export const pinned = availableParallelism() > 1 && spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;

const running = new Set<ChildProcess>();

/** The path of a file of the repository. */
export function repositoryFile(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/** Starts Node on a core. The process ends with this one at the latest. If it fails by itself, this process ends, too. */
export function startNode(core: Core, args: readonly string[], { messages = true } = {}): ChildProcess {
  const command = pinned ? ['taskset', '-c', CORES[core], process.execPath] : [process.execPath];
  const [file, ...rest] = [...command, ...args] as [string, ...string[]];
  // NODE_ENV changes Express, and Prism crashes if it is `production`. NODE_OPTIONS has the loader of this process, which the children do not need.
  const { NODE_ENV: _, NODE_OPTIONS: __, ...env } = process.env;
  const child = spawn(file, rest, { stdio: ['ignore', 'ignore', 'inherit', ...(messages ? (['ipc'] as const) : [])], env });
  running.add(child);
  child.once('exit', (code) => {
    running.delete(child);
    if (!child.killed && code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${code}`);
  });
  return child;
}

/** The next message of a child, after sending it `request`. */
export async function messageOf<T>(child: ChildProcess, request?: object): Promise<T> {
  const answer = once(child, 'message');
  if (request) child.send(request);
  const [message] = await answer;
  return message as T;
}

export async function end(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A server under measurement, in a process of its own. */
export interface Server {
  readonly port: number;
  /** User and system time of the process so far, in microseconds. */
  cpu(): Promise<number>;
  stop(): Promise<void>;
}

const REPORTER = ['--import', repositoryFile('bench/servers/report-cpu.mjs')];
/** Prism answers it with 200. */
export const PRISM_PATH = '/experience/assignments?accountId=0190f000-0000-7000-8000-000000000001';
const PRISM = 'node_modules/@stoplight/prism-cli/dist/index.js';

export type KitServer = Server & StartedKit;

/** Starts the built kit with the world of the bench. */
export async function startKit(setup: KitSetup): Promise<KitServer> {
  const child = startNode('server', [...REPORTER, repositoryFile('bench/servers/kit.ts'), JSON.stringify(setup)]);
  const started = await messageOf<StartedKit>(child);
  return { ...started, ...serverOf(child) };
}

/** @param body the JSON that it answers to GET */
export async function startExpress(body = '{}'): Promise<Server> {
  const port = await freePort();
  const child = startNode('server', [...REPORTER, repositoryFile('bench/servers/bare-express.mjs'), String(port), body]);
  await waitUntilReady(port, '/health');
  return { port, ...serverOf(child) };
}

/** Starts `prism mock` with the bundled contract. It answers examples and keeps no state. */
export async function startPrism(): Promise<Server> {
  const port = await freePort();
  const child = startNode('server', [...REPORTER, ...prismArguments(port)]);
  await waitUntilReady(port, PRISM_PATH);
  return { port, ...serverOf(child) };
}

export function prismArguments(port: number): string[] {
  const contract = repositoryFile('dist/src/contract/generated/openapi.json');
  return [repositoryFile(PRISM), 'mock', '-v', 'silent', '-h', '127.0.0.1', '-p', String(port), contract];
}

function serverOf(child: ReturnType<typeof startNode>): Omit<Server, 'port'> {
  return {
    cpu: async () => (await messageOf<{ cpu: number }>(child, { report: 'cpu' })).cpu,
    stop: () => end(child),
  };
}

/** Repeats a request until the answer is 200. It carries a token, which Prism requires and the others ignore. */
export async function waitUntilReady(port: number, path: string): Promise<void> {
  for (let tries = 0; tries < 10_000; tries++) {
    const sent = fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: 'Bearer any' } });
    const isReady = await sent.then(
      async (response) => (await response.text()) !== '' && response.ok,
      () => false,
    );
    if (isReady) return;
    await pause(2);
  }
  throw new Error(`nothing answers ${path} on port ${port}`);
}
