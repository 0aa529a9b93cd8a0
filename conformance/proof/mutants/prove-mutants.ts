import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runPlaywright } from '../../runner/playwright.ts';
import { INTERRUPTED_EXIT_CODE } from '../../runner/run-suite.ts';
import { createTargetEnvironment, type TargetSettings } from '../../target/target-settings.ts';
import { openKit } from '../kit-target.ts';
import type { Objection } from '../server.ts';
import { selectMutants } from './mutants.ts';
import { createPlanEnvironment, type MutantPlan } from './plan.ts';
import { type MutantResults, RESULTS_FILE } from './reporter.ts';
import { findObjections } from './verify.ts';

type TestedServer = Omit<MutantPlan, 'folder'>;

// The number of workers. It exceeds the number of cores, because checks often wait, for example for rate limits and retries.
const WORKERS = 8;

/**
 * Runs each rule's checks against the rule's mutants and the permitted servers. Against the servers that do nothing, runs only one check
 * per rule.
 */
export async function proveMutants({ rules, servers }: TestedServer): Promise<readonly Objection[]> {
  const kit = await openKit({ retries: 'fast' });
  try {
    const objections = await runChecks(kit.settings, { rules, servers }, WORKERS);
    if (objections.length === 0) return objections;
    // Test rules with objections a second time, because a check can time out on a slow machine. Test them one after the other, because the
    // loads for the rate limit rules slow each other down.
    return await runChecks(kit.settings, { rules: [...new Set(objections.map(({ rule = '' }) => rule))], servers }, 1);
  } finally {
    await kit.close();
  }
}

async function runChecks(target: TargetSettings, tested: TestedServer, workers: number): Promise<Objection[]> {
  const folder = await mkdtemp(join(tmpdir(), 'prove-'));
  try {
    const interrupted = await runPlaywright({
      reporter: fileURLToPath(new URL('./reporter.ts', import.meta.url)),
      output: join(folder, 'output'),
      environment: {
        ...createTargetEnvironment({ ...target, boundary: new URL('./boundary.ts', import.meta.url).href }),
        ...createPlanEnvironment({ ...tested, folder }),
      },
      workers,
      // In each worker, the first check that needs many users has to create them. This takes a long time while other workers run.
      args: ['--timeout', '30000'],
    });
    if (interrupted) process.exit(INTERRUPTED_EXIT_CODE);
    const { outcomes, errors } = JSON.parse(await readFile(join(folder, RESULTS_FILE), 'utf8')) as MutantResults;
    if (errors.length > 0) throw new Error(errors.join('\n'));
    if (tested.rules === undefined && outcomes.length === 0) throw new Error(`No check ran against ${tested.servers.join(', ')}.`);
    return findObjections(tested.servers.includes('mutants') ? selectMutants(tested.rules) : [], outcomes);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
