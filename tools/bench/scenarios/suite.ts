import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rulesInScope } from '../../../src/report/scope.ts';
import { resolveRepositoryFile } from '../processes.ts';
import { calculateSpread, type Row, type Scenario } from '../report.ts';

/** Whether a rule's checks are slow: they wait for timeouts, or send requests for several seconds. */
const isSlowRule = (id: string) => id.startsWith('limits.') || /^events\.delivery\.(retries-unanswered|waits-for-answer)$/.test(id);
const OTHER_RULES = rulesInScope.map(({ id }) => id).filter((id) => !isSlowRule(id));

export const measureSuite: Scenario = async ({ rounds }, log) => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-suite-'));
  try {
    const measureTimes = (...args: readonly string[]) =>
      Array.from({ length: Math.min(rounds, 3) }, (_, round) => {
        log(`suite, round ${round + 1}`);
        return runTimed([resolveRepositoryFile('bin/xpk.cjs'), 'conformance', '--report-dir', folder, ...args]);
      });
    const [whole, others] = [measureTimes(), measureTimes('--rule', ...OTHER_RULES)];
    log('mutants');
    const mutants = runTimed([resolveRepositoryFile('conformance/proof/run.ts'), '--only', 'mutants,nothing']);
    const createRow = (what: string, times: number[], atMost: number): Row => ({
      what,
      unit: 'ms',
      figures: { time: calculateSpread(times) },
      target: { atMost },
    });
    return [
      createRow('whole suite in both path forms, including the start of the kit', whole, 18_000),
      createRow('suite without the slow rules', others, 6000),
      createRow('all mutants, and servers that do nothing', [mutants], 75_000),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * @returns the duration, in milliseconds
 * @throws Error with the end of the output if the program fails
 */
function runTimed(args: readonly string[]): number {
  const begin = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: resolveRepositoryFile('.'),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}:\n${stderr}${stdout.slice(-2000)}`);
  return performance.now() - begin;
}
