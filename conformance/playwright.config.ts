import { defineConfig } from '@playwright/test';
import { WORKERS_VARIABLE } from './runner/playwright.ts';
import { LONG_TAG, WAITING_TAG } from './runner/rule.ts';

const given = process.env[WORKERS_VARIABLE];
const [long, waiting] = [new RegExp(LONG_TAG), new RegExp(WAITING_TAG)];

// `conformance/runner` starts the checks, and passes the target to them in environment variables.
export default defineConfig({
  testDir: 'rules',
  fullyParallel: true,
  // Three workers run the long checks, one runs the other checks that mostly wait, and two run the rest. The kit needs as much CPU time as
  // these two, so a third worker would only add the cost of loading the checks and creating its own entities.
  workers: Number(given ?? 6),
  forbidOnly: true,
  timeout: 30_000,
  // The checks write no files, so Playwright need not remove a folder after each check.
  preserveOutput: 'always',
  // The package contains .js files, which need no transformation.
  build: { external: ['**/*.js'] },
  // Playwright starts the projects in this order, so the long checks run at the same time as the others. Each project keeps its workers,
  // because Playwright restarts a worker that changes to a different project. If the number of workers is given, there is only one project.
  // Within a project, files start in alphabetical order, so the checks in `when-idle` start last, in workers that are already running.
  projects: given === undefined ? [{ grep: long }, { grep: waiting, workers: 1 }, { grepInvert: [long, waiting], workers: 2 }] : [{}],
});
