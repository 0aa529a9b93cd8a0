import { test as base, expect } from 'vitest';
import type { TestWorld, WorldOptions } from './test-world.ts';
import { type FixtureKit, openFixtureKit, useWorld } from './world-fixture.ts';

interface WorldFixtures {
  kit: FixtureKit;
  /** What the world of each test contains: `test.override({ worldOptions: { from: 'empty' } })`. */
  worldOptions: WorldOptions;
  /** A world for this test alone, at the kit at XPK_URL, or at a kit that this process starts. */
  world: TestWorld;
}

// Loaded before the first test, because loading takes a part of the time that a test has.
if (!process.env.XPK_URL) void import('../kit.ts');

/** vitest's `test` with the fixture `world`. A failed test prints the requests that the world has answered. */
export const test = base.extend<WorldFixtures>({
  kit: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures from the pattern
    async ({}, use) => {
      const kit = await openFixtureKit();
      await use(kit);
      await kit.close();
    },
    { scope: 'file' },
  ],
  worldOptions: {},
  world: async ({ kit, worldOptions, task }, use) => {
    const titles = [];
    for (let part: { readonly name: string; readonly suite?: typeof part } | undefined = task; part; part = part.suite)
      titles.unshift(part.name);
    await useWorld(
      kit,
      {
        titles,
        options: worldOptions,
        hasFailed: () => task.result?.state === 'fail',
      },
      use,
    );
  },
});

export { expect };
