import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Profiler } from 'node:inspector';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/store/testing/free-port.ts';
import type { StartedKit } from './servers/kit.ts';
import type { KitSetup } from './world.ts';

type Core = 'server' | 'load';

const CORES: Record<Core, string> = { server: '0', load: '1' };

/** Whether processes can be pinned to a core. Otherwise, ratios of requests/s are not reliable. */
export const canPinToCore = availableParallelism() > 1 && spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;

const runningProcesses = new Set<ChildProcess>();

export function resolveRepositoryFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** The child dies with this process. If the child fails, this process fails. */
export function startNode(core: Core, args: readonly string[], { messages = true } = {}): ChildProcess {
  const command = canPinToCore ? ['taskset', '-c', CORES[core], process.execPath] : [process.execPath];
  const [file, ...rest] = [...command, ...args] as [string, ...string[]];
  // Do not pass NODE_ENV. It changes the speed of Express, and `production` crashes Prism.
  const { NODE_ENV: _, ...env } = process.env;
  const child = spawn(file, rest, { stdio: ['ignore', 'ignore', 'inherit', ...(messages ? (['ipc'] as const) : [])], env });
  runningProcesses.add(child);
  child.once('exit', (code) => {
    runningProcesses.delete(child);
    if (!child.killed && code !== 0) throw new Error(`${child.spawnargs.join(' ')} exited with ${code}`);
  });
  return child;
}

export async function requestMessage<T>(child: ChildProcess, request?: object): Promise<T> {
  const answer = once(child, 'message');
  if (request) child.send(request);
  const [message] = await answer;
  return message as T;
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (!runningProcesses.has(child)) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

process.once('exit', () => {
  for (const child of runningProcesses) child.kill('SIGKILL');
});

/** Disposing of it ends the process. */
export interface Server extends AsyncDisposable {
  readonly port: number;
  /** Returns the process's total CPU time (user and system), in microseconds. */
  cpu(): Promise<number>;
  /** Servers other than kits report only their memory. */
  ask(report: 'memory' | 'statements' | 'second-kit'): Promise<number>;
  /** Returns a profile of the CPU during `work`. */
  profile(work: () => Promise<unknown>): Promise<Profiler.Profile>;
}

const REPORTER_PATH = ['--import', resolveRepositoryFile('tools/bench/servers/report-cpu.mjs')];
/** A path that returns 200 when Prism is ready. */
export const PRISM_PATH = '/experience/assignments?accountId=0190f000-0000-7000-8000-000000000001';
const CONTRACT_PATH = resolveRepositoryFile('dist/src/contract/generated/openapi.json');
const PRISM_COMMAND = 'node_modules/@stoplight/prism-cli/dist/index.js';

export type KitServer = Server & StartedKit;

export async function startKit(setup: KitSetup): Promise<KitServer> {
  const child = startNode('server', [...REPORTER_PATH, resolveRepositoryFile('tools/bench/servers/kit.ts'), JSON.stringify(setup)]);
  const started = await requestMessage<StartedKit>(child);
  return { ...started, ...createServer(child) };
}

/** @param path a path that returns 200 when the server is ready */
async function startServer(path: string, createArguments: (port: number) => readonly string[], core: Core = 'server'): Promise<Server> {
  const port = await freePort();
  const child = startNode(core, [...REPORTER_PATH, ...createArguments(port)]);
  await waitUntilReady(port, path);
  return { port, ...createServer(child) };
}

/** @param body the JSON for every GET request */
export function startExpress(body = '{}', core?: Core): Promise<Server> {
  return startServer('/health', (port) => [resolveRepositoryFile('tools/bench/servers/bare-express.mjs'), String(port), body], core);
}

/** @param file the file in tools/bench/servers @param path a path of the target that returns 200 */
export function startProxy(file: 'proxy.ts' | 'http-proxy.mjs', path: string, targetPort: number): Promise<Server> {
  const program = resolveRepositoryFile(`tools/bench/servers/${file}`);
  return startServer(path, (port) => [program, String(port), `http://127.0.0.1:${targetPort}`]);
}

export const startPrism = (): Promise<Server> => startServer(PRISM_PATH, createPrismArguments);

/** Starts a receiver that acknowledges every delivery. */
export async function startReceiver(): Promise<AsyncDisposable & { readonly url: string }> {
  const child = startNode('load', [resolveRepositoryFile('tools/bench/servers/receiver.mjs')]);
  const { port } = await requestMessage<{ port: number }>(child);
  return { url: `http://127.0.0.1:${port}/hook`, [Symbol.asyncDispose]: () => endProcess(child) };
}

const peers: { readonly name: string; readonly command: string }[] = [];

/**
 * @param nameAndCommand such as `Mockoon=mockoon-cli start --data {contract} --port {port}`; arguments must not contain spaces or quotes
 * @throws Error
 */
export function addPeer(nameAndCommand: string): void {
  const [, name, command] = /^([^=]+)=(.+)$/.exec(nameAndCommand) ?? [];
  if (name === undefined || command === undefined) throw new Error(`--peer must be NAME=COMMAND, not ${nameAndCommand}.`);
  peers.push({ name, command });
}

/** @param path a path that returns 200 when a peer is ready */
export function startPeers(path: string): Promise<{ readonly name: string; readonly server: Server }[]> {
  return Promise.all(
    peers.map(async ({ name, command }) => {
      const createArguments = (port: number) => command.replaceAll('{port}', `${port}`).replaceAll('{contract}', CONTRACT_PATH).split(' ');
      return { name, server: await startServer(path, createArguments) };
    }),
  );
}

export function createPrismArguments(port: number): string[] {
  return [resolveRepositoryFile(PRISM_COMMAND), 'mock', '-v', 'silent', '-h', '127.0.0.1', '-p', String(port), CONTRACT_PATH];
}

function createServer(child: ReturnType<typeof startNode>): Omit<Server, 'port'> {
  return {
    cpu: async () => (await requestMessage<{ cpu: number }>(child, { report: 'cpu' })).cpu,
    ask: async (report) => (await requestMessage<{ figure: number }>(child, { report })).figure,
    async profile(work) {
      await requestMessage(child, { report: 'start-profile' });
      await work();
      return (await requestMessage<{ profile: Profiler.Profile }>(child, { report: 'profile' })).profile;
    },
    [Symbol.asyncDispose]: () => endProcess(child),
  };
}

/** The request contains a token, because Prism requires one. */
export async function waitUntilReady(port: number, path: string): Promise<void> {
  for (let tries = 0; tries < 60_000; tries++) {
    const sent = fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: 'Bearer any' } });
    const isReady = await sent.then(
      async (response) => (await response.text()) !== '' && response.ok,
      () => false,
    );
    if (isReady) return;
    await pause(2);
  }
  throw new Error(`no server answered ${path} on port ${port} with 200`);
}
