import { cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Check, emptyFolder, run, tool } from './check.ts';

const REPOSITORY = resolve(import.meta.dirname, '..');

let installation: Promise<{ tarball: string; folder: string }> | undefined;

/** Packs the package once, and installs it in an empty folder with the tests for all runners. */
function installed() {
  installation ??= install();
  return installation;
}

async function install() {
  const folder = emptyFolder('package');
  mkdirSync(join(folder, 'tarball'));
  await run('npm', ['pack', '--pack-destination', join(folder, 'tarball')], { cwd: REPOSITORY });
  const [tarball = ''] = globSync(join(folder, 'tarball/*.tgz'));
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  cpSync(join(import.meta.dirname, 'runners'), folder, { recursive: true });
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', tarball], { cwd: folder });
  return { tarball, folder };
}

const packageCheck = (name: string, check: (folder: string, tarball: string) => Promise<unknown>): Check => ({
  name,
  async run() {
    const { folder, tarball } = await installed();
    await check(folder, tarball);
  },
});

/** The runners' default timeouts, 2 s and 5 s, are too short on a busy machine that compiles the package for the first time. */
const TIMEOUT_MS = '60000';

/** The path of the bun program in the package for this platform. The `bun` command would need an install script. */
const bun = () => globSync(join(import.meta.dirname, 'node_modules/@oven/bun-*/bin/bun*'))[0] ?? 'bun';

export const packageChecks: readonly Check[] = [
  packageCheck('jest', (cwd) =>
    tool('jest', ['--testTimeout', TIMEOUT_MS, '--rootDir', '.', '--testMatch', '**/jest.test.mjs', '--transform', '{}'], {
      cwd,
      env: { NODE_OPTIONS: '--experimental-vm-modules' },
    }),
  ),
  packageCheck('vitest', (cwd) => tool('vitest', ['run', '--root', '.', '--testTimeout', TIMEOUT_MS, 'vitest.test.mjs'], { cwd })),
  packageCheck('mocha', (cwd) => tool('mocha', ['--timeout', TIMEOUT_MS, 'mocha.test.mjs'], { cwd })),
  packageCheck('node-test', (cwd) => run(process.execPath, ['--test', 'node.test.mjs'], { cwd })),
  packageCheck('playwright-test', (cwd) => tool('playwright', ['test', 'playwright.test.mjs'], { cwd })),
  packageCheck('bun', (cwd) => run(bun(), ['test', '--timeout', TIMEOUT_MS, './bun.test.mjs'], { cwd })),
  packageCheck('require', (cwd) => run(process.execPath, ['require.cjs'], { cwd })),
  packageCheck('publint', (_, tarball) => tool('publint', ['run', '--strict', tarball])),
  packageCheck('attw', (_, tarball) => tool('attw', ['--profile', 'esm-only', tarball])),
];
