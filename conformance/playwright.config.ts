import { defineConfig } from '@playwright/test';
import type { Options } from './runner/test.ts';

// Each path form is a project. `conformance/runner` starts the checks and says in the environment what the target is.
export default defineConfig<Options>({
  testDir: 'rules',
  fullyParallel: true,
  // Two of them begin with what waits for as long as an endpoint may take, one has the flat form, and the others share the rest.
  workers: 5,
  forbidOnly: true,
  timeout: 30_000,
  projects: [
    // A worker belongs to one project. The flat form gets a worker of its own: if all workers changed to it in the end, each would start again.
    { name: 'flat', use: { form: 'flat' }, workers: 1 },
    { name: 'prefixed', use: { form: 'prefixed' } },
  ],
});
