import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { connectKit } from '../../src/kit.ts';
import { startKit } from './kits.ts';
import type { Report } from './report.ts';

interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly duration: number };
  readonly suites: readonly {
    readonly specs: readonly {
      readonly title: string;
      readonly ok: boolean;
      readonly tests: readonly { readonly results: readonly Result[] }[];
    }[];
  }[];
}
interface Result {
  readonly workerIndex: number;
  readonly duration: number;
  readonly error?: { readonly message?: string };
}

const ROUNDS = 20;
const PROCESSES = 10;
const playwright = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');

/** Runs tests in ten workers of Playwright, and in ten processes of Python, which share one kit. Each test has a world of its own. */
export async function testWorlds(log: (text: string) => void): Promise<Report> {
  await using running = await startKit([], log);
  await using kit = connectKit(running.url);
  const run = (file: string, args: readonly string[], variables = {}) =>
    promisify(execFile)(file, args, { env: { ...process.env, XPK_URL: running.url, ...variables }, maxBuffer: 100_000_000 }).then(
      ({ stdout }) => ({ stdout, failure: undefined }),
      (error: { stdout: string; stderr: string }) => ({ stdout: error.stdout, failure: error.stderr }),
    );

  const seed = Math.floor(Math.random() * 1e9);
  log(`Playwright, seed ${seed}`);
  const args = [playwright, 'test', '--config', 'tools/chaos/worlds.config.ts', '--reporter', 'json'];
  const { stdout } = await run(process.execPath, args, { XPK_CHAOS_ROUNDS: `${ROUNDS}`, XPK_CHAOS_SEED: `${seed}` });
  const { stats, suites } = JSON.parse(stdout) as PlaywrightReport;
  const specs = suites.flatMap((suite) => suite.specs);
  const results = specs.flatMap(({ tests }) => tests.flatMap((each) => each.results));
  const busy = Map.groupBy(results, ({ workerIndex }) => workerIndex);
  const slowest = Math.max(...[...busy.values()].map((each) => each.reduce((sum, { duration }) => sum + duration, 0)));

  log('Python');
  const failed: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ended = await Promise.all(Array.from({ length: PROCESSES }, () => run('python3', ['examples/worlds/test_worlds.py'])));
    failed.push(...ended.flatMap(({ failure }) => failure ?? []));
  }
  const worlds = (await kit.control.GET('/_control/worlds')).data;
  const requests = (await kit.control.GET('/_control/requests')).data;
  const { offsetMs } = (await kit.control.GET('/_control/clock')).data;
  return {
    counts: {
      'tests of Playwright that passed': stats.expected,
      'workers of Playwright': busy.size,
      'total time / work of the slowest worker': (stats.duration / slowest).toFixed(2),
      'runs of the tests in Python': ROUNDS * PROCESSES,
    },
    problems: {
      'failed tests of Playwright': specs
        .filter(({ ok }) => !ok)
        .map(({ title, tests }) => `${title}: ${tests[0]?.results[0]?.error?.message} (seed ${seed})`),
      'failed runs of the tests in Python': failed,
      'worlds that did not end with their tests': worlds.map(({ name, label }) => `${name}: ${label}`),
      'effects on the first world': [...requests.map(({ path }) => path), ...(offsetMs === 0 ? [] : [`the clock: ${offsetMs}`])],
      'missing tests': specs.length === ROUNDS * 20 ? [] : [`there were ${specs.length}`],
    },
  };
}
