import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runPlaywright } from '../../runner/playwright.ts';
import { INTERRUPTED } from '../../runner/run-suite.ts';
import { type TargetSettings, targetEnvironment } from '../../target/target-settings.ts';
import { openKit } from '../kit-target.ts';
import type { Objection } from '../server.ts';
import type { Mutant } from './mutant.ts';
import { type Plan, pairOf, planEnvironment } from './plan.ts';
import { type MutantResults, RESULTS_FILE } from './reporter.ts';
import { objectionsTo } from './verify.ts';

// Checks wait much of their time, for rates and for what settles.
const WORKERS = 8;

/** Runs the checks of each rule against its mutants, and one check of each rule against every server that does nothing. */
export async function proveMutants(planned: readonly Mutant[], plan: Omit<Plan, 'folder' | 'pairs'>): Promise<Objection[]> {
  const kit = await openKit({ retries: 'fast' });
  try {
    const { outcomes, errors } = await run(kit.settings, plan);
    const { doubtful, objections } = objectionsTo(planned, outcomes);
    const outside = errors.map((text) => ({ server: 'mutants', text }));
    if (doubtful.length === 0) return [...outside, ...objections];
    // On a machine that is short of time a check may not be testable, or end in an error.
    const pairs = doubtful.map(pairOf);
    const again = await run(kit.settings, { ...plan, pairs });
    const replaced = [...outcomes.filter((outcome) => !pairs.includes(pairOf(outcome))), ...again.outcomes];
    return [...outside, ...again.errors.map((text) => ({ server: 'mutants', text })), ...objectionsTo(planned, replaced).objections];
  } finally {
    await kit.close();
  }
}

async function run(target: TargetSettings, plan: Omit<Plan, 'folder'>): Promise<MutantResults> {
  const folder = await mkdtemp(join(tmpdir(), 'prove-'));
  try {
    const interrupted = await runPlaywright({
      reporter: fileURLToPath(new URL('./reporter.ts', import.meta.url)),
      output: join(folder, 'output'),
      environment: {
        ...targetEnvironment({ ...target, boundary: new URL('./boundary.ts', import.meta.url).href }),
        ...planEnvironment({ ...plan, folder }),
      },
      args: ['--timeout', '15000', '--workers', `${WORKERS}`],
    });
    if (interrupted) process.exit(INTERRUPTED);
    return JSON.parse(await readFile(join(folder, RESULTS_FILE), 'utf8')) as MutantResults;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
