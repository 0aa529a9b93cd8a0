import { defineConfig } from '@playwright/test';
import { LONG } from './runner/rule.ts';
import type { Options } from './runner/test.ts';

// The name of a project is the path form of its checks. `conformance/runner` starts them and says in the environment what the target is.
export default defineConfig<Options>({
  testDir: 'rules',
  fullyParallel: true,
  // Three begin with the long checks, one has the flat form, and the others share the rest.
  workers: 5,
  forbidOnly: true,
  timeout: 30_000,
  projects: [
    // Playwright starts projects in this order. The long checks run beside the others, which take about as long.
    { name: 'prefixed', use: { form: 'prefixed' }, grep: new RegExp(LONG) },
    // A worker belongs to one project. The flat form gets a worker of its own: if all workers changed to it in the end, each would start again.
    { name: 'flat', use: { form: 'flat' }, workers: 1 },
    { name: 'prefixed', use: { form: 'prefixed' }, grepInvert: new RegExp(LONG) },
  ],
});
