// Runs the tests of examples/frontend in the browser of this repository.
import { defineConfig } from '@playwright/test';
import { getChromiumOptions } from '../../src/oauth/server/testing/chromium.ts';

export default defineConfig({
  testDir: '../frontend',
  workers: 1,
  use: { launchOptions: await getChromiumOptions() },
});
