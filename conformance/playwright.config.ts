import { defineConfig } from '@playwright/test';
import { WORKERS_VARIABLE } from './runner/playwright.ts';
import { LONG_TAG, REPEATS_TAG, WAITING_TAG } from './runner/rule.ts';

const given = process.env[WORKERS_VARIABLE];
const [long, repeats, waiting] = [LONG_TAG, REPEATS_TAG, WAITING_TAG].map((tag) => new RegExp(tag)) as [RegExp, RegExp, RegExp];

// `conformance/runner` starts the checks, and passes the target to them in environment variables.
export default defineConfig({
  testDir: 'rules',
  fullyParallel: true,
  // Of the five workers, one sends many requests and then explores, two run the waiting checks, and two run the remaining checks. More
  // would slow each other down, because the kit itself uses as much CPU time as two workers.
  workers: Number(given ?? 5),
  forbidOnly: true,
  timeout: 30_000,
  // The checks write no files, so Playwright need not remove a folder after each check.
  preserveOutput: 'always',
  // Playwright need not transform the package's .js files.
  build: { external: ['**/*.js'] },
  // Playwright starts these projects in order. Each project starts its files in alphabetical order, so that `when-idle` comes last.
  projects:
    given === undefined
      ? [
          { grep: long, workers: 1 },
          { grep: repeats, workers: 1 },
          { grep: waiting, grepInvert: repeats, workers: 1 },
          { grepInvert: [long, waiting], workers: 2 },
        ]
      : [{}],
});
