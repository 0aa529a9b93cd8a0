// Runs the tests in examples/frontend and examples/worlds with this repository's browser.
import { defineConfig } from '@playwright/test';
import { getChromiumOptions } from '../../src/oauth/server/testing/chromium.ts';

export default defineConfig({
  testDir: '..',
  testMatch: ['frontend/*.spec.mjs', 'worlds/*.spec.mjs', 'testing/failing.spec.mjs'],
  workers: 1,
  use: { launchOptions: await getChromiumOptions() },
});
