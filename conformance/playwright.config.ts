import { defineConfig } from '@playwright/test';
import { WORKERS } from './runner/playwright.ts';
import { LONG } from './runner/rule.ts';
import type { Options } from './runner/test.ts';

const given = process.env[WORKERS];
const prefixed = { name: 'prefixed', use: { form: 'prefixed' } } as const;
// Playwright restarts a worker that changes to another project. So one worker runs the flat form, instead of all workers at the end.
const flat = { name: 'flat', use: { form: 'flat' }, ...(given !== '1' && given !== '2' && { workers: 1 }) } as const;

// The name of a project is the path form of its checks. `conformance/runner` starts them and says in the environment what the target is.
export default defineConfig<Options>({
  testDir: 'rules',
  fullyParallel: true,
  // Three begin with the long checks, one has the flat form, and the others share the rest.
  workers: Number(given ?? 5),
  forbidOnly: true,
  timeout: 30_000,
  // Playwright starts projects in this order, so the long checks run at the same time as the others. With a given number of workers, they are
  // not a separate project, because the worker would restart after them.
  projects:
    given === undefined ? [{ ...prefixed, grep: new RegExp(LONG) }, flat, { ...prefixed, grepInvert: new RegExp(LONG) }] : [prefixed, flat],
});
