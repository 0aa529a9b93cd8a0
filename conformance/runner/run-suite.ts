import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Results } from '../../src/contract/generated/results.ts';
import { parseResults } from '../../src/report/read-results.ts';
import { PATH_FORMS } from '../../src/report/scope.ts';
import { createTargetEnvironment, type TargetSettings } from '../target/target-settings.ts';
import { runPlaywright } from './playwright.ts';
import { createRunEnvironment, getObservationsFile, type RunSettings } from './run-settings.ts';
import { resolveSuiteFile } from './suite-files.ts';

/** The exit code after Ctrl-C: 128 plus the signal number, as in shells. */
export const INTERRUPTED_EXIT_CODE = 128 + constants.signals.SIGINT;

export interface SuiteOptions extends Omit<RunSettings, 'resultsFile' | 'forms' | 'notApplicable' | 'target'> {
  readonly shown: Results['target'];
  /** Default: both. */
  readonly forms?: RunSettings['forms'] | undefined;
  readonly notApplicable?: RunSettings['notApplicable'];
  /** The seed for a random order of the checks. Default: the order of the files. */
  readonly shuffle?: string | undefined;
  /** What earlier runs have observed. In a random order, the exploration may come before the checks that observe decisions. */
  readonly observed?: Results['observations'];
  /** Default: the number in the Playwright configuration. */
  readonly workers?: number | undefined;
}

export interface SuiteRun {
  /** The results; undefined if the run ended before the reporter had written the results. */
  readonly results: Results | undefined;
  readonly interrupted: boolean;
}

export async function runSuite(target: TargetSettings, options: SuiteOptions): Promise<SuiteRun> {
  const { workers, shown, forms = PATH_FORMS, notApplicable = [], shuffle, observed = [], ...selection } = options;
  const folder = await mkdtemp(join(tmpdir(), 'xpk-suite-'));
  const resultsFile = join(folder, 'results.json');
  const settings = { ...selection, target: shown, forms, notApplicable, resultsFile };
  const lines = observed.map(({ decision, value }) => `${JSON.stringify({ decision, value })}\n`);
  await writeFile(getObservationsFile(settings), lines.join(''));
  try {
    const interrupted = await runPlaywright({
      reporter: resolveSuiteFile('runner/verdict-reporter'),
      output: join(folder, 'output'),
      environment: {
        ...createTargetEnvironment(target),
        ...createRunEnvironment(settings),
      },
      workers: limitWorkers(target, workers),
      args: shuffle === undefined ? [] : ['--shuffle', shuffle],
    });
    const results = existsSync(resultsFile) ? parseResults(await readFile(resultsFile, 'utf8'), resultsFile) : undefined;
    return { results, interrupted };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function limitWorkers({ requestsPerSecond, control, receiver }: TargetSettings, workers: number | undefined): number | undefined {
  // Use one worker if several would exceed the request limit, share resources, or listen on one port.
  return requestsPerSecond === undefined && receiver === undefined && control !== undefined ? workers : 1;
}
