import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runPlaywright } from '../../runner/playwright.ts';
import { INTERRUPTED_EXIT_CODE } from '../../runner/run-suite.ts';
import { createTargetEnvironment, type TargetSettings } from '../../target/target-settings.ts';
import { openKit } from '../kit-target.ts';
import type { ProofFailure } from '../server.ts';
import { selectMutants } from './mutants.ts';
import { createPlanEnvironment, type MutantPlan } from './plan.ts';
import { type MutantResults, RESULTS_FILE } from './reporter.ts';
import { findProofFailures } from './verify.ts';

type TestedServer = Omit<MutantPlan, 'folder'>;

// Exceeds the number of cores, because checks often wait.
const WORKERS = 8;

export async function proveMutants({ rules, servers }: TestedServer): Promise<readonly ProofFailure[]> {
  await using kit = await openKit({ retries: 'fast' });
  const failures = await runChecks(kit.settings, { rules, servers }, WORKERS);
  if (failures.length === 0) return failures;
  // Repeat failed checks, because a slow machine can cause timeouts. Use one worker, because rate limit checks slow down other checks.
  return await runChecks(kit.settings, { rules: [...new Set(failures.map(({ rule = '' }) => rule))], servers }, 1);
}

async function runChecks(target: TargetSettings, tested: TestedServer, workers: number): Promise<ProofFailure[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'prove-'));
  const interrupted = await runPlaywright({
    reporter: fileURLToPath(new URL('./reporter.ts', import.meta.url)),
    output: join(folder.path, 'output'),
    environment: {
      ...createTargetEnvironment({ ...target, boundary: new URL('./boundary.ts', import.meta.url).href }),
      ...createPlanEnvironment({ ...tested, folder: folder.path }),
    },
    workers,
    // The first check of a worker may have to create many users, which takes long.
    args: ['--timeout', '30000'],
  });
  if (interrupted) process.exit(INTERRUPTED_EXIT_CODE);
  const { outcomes, errors } = JSON.parse(await readFile(join(folder.path, RESULTS_FILE), 'utf8')) as MutantResults;
  if (errors.length > 0) throw new Error(errors.join('\n'));
  if (tested.rules === undefined && outcomes.length === 0) throw new Error(`No check ran against ${tested.servers.join(', ')}.`);
  return findProofFailures(tested.servers.includes('mutants') ? selectMutants(tested.rules) : [], outcomes);
}
