import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rulesInScope } from '../../../src/report/scope.ts';
import { resolveRepositoryFile } from '../processes.ts';
import { createRow, type Scenario } from '../report.ts';

/** Whether a rule's checks are slow: they wait for timeouts, or send requests for several seconds. */
const isSlowRule = (id: string) => id.startsWith('limits.') || /^events\.delivery\.(retries-unanswered|waits-for-answer)$/.test(id);
const OTHER_RULES = rulesInScope.map(({ id }) => id).filter((id) => !isSlowRule(id));

export const measureSuite: Scenario = async ({ rounds }, log) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-suite-'));
  const measureTimes = (...args: readonly string[]) =>
    Array.from({ length: Math.min(rounds, 3) }, (_, round) => {
      log(`suite, round ${round + 1}`);
      return runTimed([resolveRepositoryFile('src/cli/xpk.cjs'), 'conformance', '--report-dir', folder.path, ...args]);
    });
  const [whole, others] = [measureTimes(), measureTimes('--rule', ...OTHER_RULES)];
  log('mutants');
  const mutants = runTimed([resolveRepositoryFile('conformance/proof/run.ts'), '--only', 'mutants,nothing']);
  return [
    createRow('whole suite in both path forms, including the start of the kit', 'time', 'ms', whole, { atMost: 18_000 }),
    createRow('suite without the slow rules', 'time', 'ms', others, { atMost: 6000 }),
    createRow('all mutants, and servers that do nothing', 'time', 'ms', [mutants], { atMost: 75_000 }),
  ];
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
