// Runs the tests in examples/frontend with this repository's browser.
import { defineConfig } from '@playwright/test';
import { getChromiumOptions } from '../../src/oauth/server/testing/chromium.ts';

export default defineConfig({
  testDir: '../frontend',
  workers: 1,
  use: { launchOptions: await getChromiumOptions() },
});
