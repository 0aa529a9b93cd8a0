import { defineConfig } from '@playwright/test';
import { WORKERS_VARIABLE } from './runner/playwright.ts';
import { LONG_TAG, WAITING_TAG } from './runner/rule.ts';

const given = process.env[WORKERS_VARIABLE];
const [long, waiting] = [new RegExp(LONG_TAG), new RegExp(WAITING_TAG)];

// `conformance/runner` starts the checks, and passes the target to them in environment variables.
export default defineConfig({
  testDir: 'rules',
  fullyParallel: true,
  // Three workers run the long checks, one runs the waiting checks, and only two run all others, because the kit itself uses as much CPU
  // time as two workers.
  workers: Number(given ?? 6),
  forbidOnly: true,
  timeout: 30_000,
  // The checks write no files, so Playwright need not remove a folder after each check.
  preserveOutput: 'always',
  // Playwright need not transform the package's .js files.
  build: { external: ['**/*.js'] },
  // Playwright starts the projects in this order, so the long checks start first. Within a project, files start in alphabetical order, so
  // the checks in `when-idle` start last.
  projects: given === undefined ? [{ grep: long }, { grep: waiting, workers: 1 }, { grepInvert: [long, waiting], workers: 2 }] : [{}],
});
