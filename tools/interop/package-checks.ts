import { cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { type Check, createEmptyFolder, run, runTool } from './check.ts';

const isYaml = (name: string) => name.endsWith('.yaml');

const REPOSITORY = resolve(import.meta.dirname, '../..');

let installation: Promise<{ tarball: string; folder: string }> | undefined;

function installOnce() {
  installation ??= install();
  return installation;
}

async function install() {
  const folder = createEmptyFolder('package');
  mkdirSync(join(folder, 'tarball'));
  await run('npm', ['pack', '--pack-destination', join(folder, 'tarball')], { cwd: REPOSITORY });
  const [tarball = ''] = globSync(join(folder, 'tarball/*.tgz'));
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  cpSync(join(import.meta.dirname, 'runners'), folder, { recursive: true });
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', tarball], { cwd: folder });
  return { tarball, folder };
}

const createPackageCheck = (name: string, check: (folder: string, tarball: string) => Promise<unknown>): Check => ({
  name,
  async run() {
    const { folder, tarball } = await installOnce();
    await check(folder, tarball);
  },
});

/** The timeout for a test, in milliseconds. The runners' defaults are too short for a busy machine. */
const TIMEOUT_MS = '60000';

function runJest(cwd: string, file: string, transform: object, env: Readonly<Record<string, string>> = {}) {
  const args = ['--testTimeout', TIMEOUT_MS, '--rootDir', '.', '--testMatch', `**/${file}`, '--transform', JSON.stringify(transform)];
  return runTool('jest', args, { cwd, env });
}

/** Returns the path of bun for this platform. The `bun` command would need an install script. */
const findBun = () => globSync(join(import.meta.dirname, 'node_modules/@oven/bun-*/bin/bun*'))[0] ?? 'bun';

export const packageChecks: readonly Check[] = [
  createPackageCheck('jest-commonjs', (cwd) => runJest(cwd, 'jest-commonjs.test.cjs', {})),
  createPackageCheck('jest-babel', (cwd) =>
    runJest(cwd, 'jest-babel.test.js', { '\\.js$': ['babel-jest', { plugins: ['@babel/plugin-transform-modules-commonjs'] }] }),
  ),
  // Only a test that is an ES module itself needs the flag.
  createPackageCheck('jest-esm', (cwd) => runJest(cwd, 'jest.test.mjs', {}, { NODE_OPTIONS: '--experimental-vm-modules' })),
  createPackageCheck('vitest', (cwd) => runTool('vitest', ['run', '--root', '.', '--testTimeout', TIMEOUT_MS, 'vitest.test.mjs'], { cwd })),
  createPackageCheck('mocha', (cwd) => runTool('mocha', ['--timeout', TIMEOUT_MS, 'mocha.test.mjs'], { cwd })),
  createPackageCheck('node-test', (cwd) => run(process.execPath, ['--test', 'node.test.mjs'], { cwd })),
  createPackageCheck('playwright-test', (cwd) => runTool('playwright', ['test', 'playwright.test.mjs'], { cwd })),
  createPackageCheck('bun', (cwd) => run(findBun(), ['test', '--timeout', TIMEOUT_MS, './bun.test.mjs'], { cwd })),
  createPackageCheck('require', (cwd) => run(process.execPath, ['require.cjs'], { cwd })),
  createPackageCheck('publint', (_, tarball) => runTool('publint', ['run', '--strict', tarball])),
  // The YAML documents are files to read, not modules to import. Vitest itself cannot be required.
  createPackageCheck('attw', async (_, tarball) => {
    const excluded = Object.keys(packageJson.exports).filter(isYaml);
    await runTool('attw', [tarball, '--profile', 'node16', '--exclude-entrypoints', './vitest', ...excluded]);
    await runTool('attw', [tarball, '--profile', 'esm-only', '--entrypoints', './vitest']);
  }),
];
