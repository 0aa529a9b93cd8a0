import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Playwright from '@playwright/test';
import type { TestWorld, WorldOptions } from './test-world.ts';
import { type FixtureKit, openFixtureKit, useWorld } from './world-fixture.ts';

/** Playwright of the project, because this package may have another version of its own, and a process must not load two. */
function loadPlaywright(): typeof Playwright {
  const requireFromProject = createRequire(join(process.cwd(), 'package.json'));
  try {
    return requireFromProject('@playwright/test');
  } catch {
    return createRequire(import.meta.url)('@playwright/test');
  }
}

const { test: base, expect } = loadPlaywright();

export interface WorldFixtures {
  /** What the world of each test contains: `test.use({ worldOptions: { from: 'empty' } })`. */
  readonly worldOptions: WorldOptions;
  /** A world for this test alone, at the kit at XPK_URL, or at a kit that this process starts. */
  readonly world: TestWorld;
}

/**
 * Playwright's `test` with the fixture `world`. The base URL is the world's, unless the project has one: `request.get('users?accountId=…')`,
 * without a slash at the beginning. The report of a failed test contains the requests that the world has answered.
 */
export const test = base.extend<WorldFixtures, { kit: FixtureKit }>({
  kit: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      const kit = await openFixtureKit();
      await use(kit);
      await kit.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  worldOptions: [{}, { option: true }],
  world: async ({ kit, worldOptions }, use, testInfo) => {
    const { titlePath, annotations } = testInfo;
    await useWorld(
      kit,
      {
        titles: titlePath,
        options: worldOptions,
        hasFailed: () => testInfo.status !== testInfo.expectedStatus,
        async report(requests, link) {
          await testInfo.attach('requests', { body: JSON.stringify(requests, null, 2), contentType: 'application/json' });
          if (link !== undefined) annotations.push({ type: 'world', description: link });
        },
      },
      use,
    );
  },
  baseURL: async ({ baseURL, world }, use) => use(baseURL ?? `${world.url}/`),
});

export { expect };
