import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import type { Profiler } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../src/store/testing/free-port.ts';
import { post, send } from '../http.ts';
import { createPrismArguments, endProcess, PRISM_PATH, resolveRepositoryFile, startNode, waitUntilReady } from '../processes.ts';
import { createProfileRow } from '../profile.ts';
import { calculateSpread, createRow, type Row, type Scenario } from '../report.ts';
import { alternate } from '../rounds.ts';

interface Starter {
  readonly args: (port: number) => string[];
  /** A path that the server answers with 200 as soon as it is ready. */
  readonly path: string;
}

const KIT_STARTER: Starter = {
  args: (port) => [resolveRepositoryFile('src/cli/xpk.cjs'), 'start', '--port', String(port)],
  path: '/_control/health',
};
const STARTERS = {
  kit: KIT_STARTER,
  'bare Express': { args: (port) => [resolveRepositoryFile('tools/bench/servers/bare-express.mjs'), String(port)], path: '/health' },
  Prism: { args: createPrismArguments, path: PRISM_PATH },
} satisfies Record<string, Starter>;
const STARTER_NAMES = Object.keys(STARTERS) as (keyof typeof STARTERS)[];

/** Node's compile cache is warm. */
export const measureColdStart: Scenario = async ({ rounds }, log) => {
  const times = { kit: [] as number[], 'bare Express': [] as number[], Prism: [] as number[] };
  await measureStart(KIT_STARTER);
  for (const [round, name] of alternate(STARTER_NAMES, rounds)) {
    const ms = await measureStart(STARTERS[name]);
    times[name].push(ms);
    log(`${round}  ${name}  ${ms.toFixed(0)} ms`);
  }
  const calculateTimeRatioTo = (otherStarter: keyof typeof times) => ({
    time: calculateSpread(times.kit.map((ms, i) => ms / times[otherStarter][i]!)),
  });
  return [
    { what: 'cold start', against: 'bare Express', unit: 'x', figures: calculateTimeRatioTo('bare Express'), target: { atMost: 1.5 } },
    { what: 'cold start', against: 'Prism', unit: 'x', figures: calculateTimeRatioTo('Prism'), target: { atMost: 1 } },
    ...STARTER_NAMES.map((name) => createRow(`cold start of ${name}`, 'time', 'ms', times[name])),
    createProfileRow('cold start of kit', await profileStart(KIT_STARTER)),
  ];
};

/** Resolves when the server answers. Disposing of it ends the process. */
async function start({
  args,
  path,
}: Starter): Promise<AsyncDisposable & { readonly port: number; readonly pid: number; readonly ended: Promise<unknown> }> {
  const port = await freePort();
  const child = startNode('server', args(port), { messages: false });
  await waitUntilReady(port, path);
  return { port, pid: child.pid!, ended: once(child, 'exit'), [Symbol.asyncDispose]: () => endProcess(child) };
}

/** @returns the time until the response, in milliseconds */
async function measureStart(starter: Starter): Promise<number> {
  const begin = performance.now();
  await using _ = await start(starter);
  return performance.now() - begin;
}

async function profileStart({ args, path }: Starter): Promise<Profiler.Profile> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'bench-'));
  const profiler = ['--cpu-prof', '--cpu-prof-interval', '200', '--cpu-prof-dir', folder.path];
  await using kit = await start({ args: (port) => [...profiler, ...args(port)], path });
  process.kill(kit.pid);
  await kit.ended;
  return JSON.parse(await readFile(join(folder.path, (await readdir(folder.path))[0]!), 'utf8'));
}

const LARGE_WORLD = {
  world: 'large',
  accounts: { customer: { name: 'Customer' } },
  generate: { users: [{ alias: 'user', account: 'customer', count: 1_000_000 }] },
};

export const measureLargeStart: Scenario = async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-'));
  const fixtures = join(folder.path, 'large.json');
  writeFileSync(fixtures, JSON.stringify(LARGE_WORLD));
  const begin = performance.now();
  await using kit = await start({ ...KIT_STARTER, args: (port) => [...KIT_STARTER.args(port), '--fixtures', fixtures] });
  const ms = performance.now() - begin;
  const figures = process.platform === 'linux' ? { memory: calculateSpread([readMemory(kit.pid, 'VmHWM')]) } : {};
  return [
    createRow('start with 1,000,000 users', 'time', 'ms', [ms], { atMost: 30_000 }),
    { what: 'memory of a start with 1,000,000 users', unit: 'MB', figures, target: { atMost: 600 } },
  ];
};

/** @returns the process's resident memory now (`VmRSS`) or its maximum so far (`VmHWM`), in megabytes */
function readMemory(pid: number, kind: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`^${kind}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

/** Writes a process's CPU time, in microseconds, to file descriptor 3 when the process exits. */
const REPORT_CPU_SCRIPT = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from 'node:fs';
process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(3, String(user + system)); });`)}`;

export const measureCommands: Scenario = async ({ rounds }, log) => {
  await using kit = await start(KIT_STARTER);
  const xpk = resolveRepositoryFile('src/cli/xpk.cjs');
  const measured = [
    { what: 'CPU of xpk --version', args: [xpk, '--version'], target: { atMost: 80 }, times: [] as number[] },
    {
      what: 'CPU of xpk inbox',
      args: [xpk, 'inbox', '--url', `http://127.0.0.1:${kit.port}`],
      target: { atMost: 150 },
      times: [] as number[],
    },
    { what: 'CPU of an empty Node program', args: ['--eval', '0'], target: undefined, times: [] as number[] },
  ];
  for (const { args } of measured) measureCpu(args);
  for (const [round, { what, args, times }] of alternate(measured, rounds)) {
    times.push(measureCpu(args));
    log(`${round}  ${what}  ${times.at(-1)!.toFixed(0)} ms`);
  }
  const [version, , empty] = measured.map(({ times }) => times) as [number[], number[], number[]];
  const ratio = { time: calculateSpread(version.map((ms, round) => ms / empty[round]!)) };
  return [
    ...measured.map(({ what, times, target }) => createRow(what, 'time', 'ms', times, target)),
    { what: 'CPU of xpk --version', against: 'an empty Node program', unit: 'x', figures: ratio, target: { atMost: 1.6 } },
    ...(await measureMemory()),
  ];
};

const IDLE_MS = 3000;

async function measureMemory(): Promise<Row[]> {
  if (process.platform !== 'linux') return [];
  const rows: Row[] = [];
  for (const [name, starter, target] of [
    ['kit', KIT_STARTER, { atMost: 70 }],
    ['bare Express', STARTERS['bare Express'], undefined],
  ] as const) {
    await using server = await start(starter);
    await pause(IDLE_MS);
    rows.push(createRow(`memory of an idle ${name}`, 'memory', 'MB', [readMemory(server.pid, 'VmRSS')], target));
  }
  return rows;
}

/** @returns the CPU time in milliseconds */
function measureCpu(args: readonly string[]): number {
  const { NODE_ENV: _, NODE_OPTIONS: __, ...env } = process.env;
  const run = spawnSync(process.execPath, ['--import', REPORT_CPU_SCRIPT, ...args], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  if (run.status !== 0) throw new Error(`${args.join(' ')} exited with ${run.status}`);
  return Number(run.output[3]) / 1000;
}

export const measureReset: Scenario = async () => {
  await using kit = await start(KIT_STARTER);
  const times: number[] = [];
  for (let i = 0; i < 50; i++) {
    const begin = performance.now();
    await send(kit.port, post('/_control/reset', { to: 'seed' }));
    times.push(performance.now() - begin);
  }
  return [createRow('reset of the demo world', 'time', 'ms', times, { atMost: 6 })];
};
