import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Results } from '../../src/report/results.ts';
import { repositoryFile } from '../child.ts';
import type { Row } from '../report.ts';
import { spreadOf } from '../spread.ts';
import type { Scenario } from './scenario.ts';

/** How many slow checks are shown: where the time goes. */
const SLOWEST = 6;

/** What CI pays: the whole suite in both forms with the kit's start, and all mutants, each once or a few times as a whole process on all cores. */
export const suite: Scenario = async ({ rounds }, say) => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-suite-'));
  try {
    const times = Array.from({ length: Math.min(rounds, 3) }, (_, round) => {
      say(`suite, round ${round + 1}`);
      return timed([repositoryFile('bin/xpk.cjs'), 'conformance', '--report-dir', folder]);
    });
    const slowest = slowestChecks(JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as Results);
    say('mutants');
    const mutants = timed(['--import', 'tsx', repositoryFile('conformance/proof/run.ts'), '--only', 'mutants,nothing']);
    return {
      rows: [
        { what: 'whole suite, both forms, with start', unit: 'ms', figures: { time: spreadOf(times) }, target: { atMost: 30_000 } },
        ...slowest,
        {
          what: 'all mutants, and the servers that do nothing',
          unit: 'ms',
          figures: { time: spreadOf([mutants]) },
          target: { atMost: 75_000 },
        },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** So many characters of what it printed: what it objects to comes last. */
const LAST_WORDS = 2000;

/** Milliseconds of the whole process. @throws Error unless it ends well: what fails is no measure. */
function timed(args: readonly string[]): number {
  const begun = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: repositoryFile('.'), encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}:\n${stderr}${stdout.slice(-LAST_WORDS)}`);
  return performance.now() - begun;
}

function slowestChecks({ rules }: Results): Row[] {
  const checks = rules.flatMap(({ id, cells }) =>
    Object.entries(cells).flatMap(([form, cell]) =>
      (cell?.checks ?? []).map(({ durationMs }) => ({ what: `… of it ${id} (${form})`, durationMs })),
    ),
  );
  const longest = checks.sort((a, b) => b.durationMs - a.durationMs).slice(0, SLOWEST);
  return longest.map(({ what, durationMs }) => ({ what, unit: 'ms', figures: { time: spreadOf([durationMs]) } }));
}
