// Runs the test files in a few processes, because the service loads slowly. `--slow` runs only the *.slow.test.ts files. `--fast` runs the
// service's tests that need neither PostgreSQL nor a browser, on the sources. To run one file on the sources:
// npm run test:file -- FILE. To run it on the installed package: npm run test:file -- --import ./tools/scripts/on-installed-package.ts FILE
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { recordFigures } from './figures.ts';

const PROCESSES = 3;

if (import.meta.main) process.exitCode = await runAll(process.argv.includes('--fast'), process.argv.includes('--slow'));

async function runAll(fast: boolean, slow: boolean): Promise<number> {
  // Start with the folders that contain long tests, so that the processes end together.
  const folders = fast ? ['src'] : ['examples', 'tools/scripts', 'conformance', 'src', 'tools/chaos'];
  // Exclude the tests that examples/provider-app.slow.test.ts runs in a copy of their folder.
  const exclude = [
    'examples/provider-app/**',
    ...(slow ? [] : ['**/*.slow.test.ts']),
    ...(fast ? ['src/{cli,checks,console,sdk}/**'] : []),
  ];
  // Tests that unpack Chromium at the same time would start a file that is still being written.
  if (!fast) await (await import('../../src/oauth/server/testing/chromium.ts')).getChromiumOptions();
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*${slow ? '.slow' : ''}.test.ts`, { exclude }));
  const flags = fast ? ['--test-skip-pattern=/postgres|browser|replica/i'] : ['--test-global-setup=src/store/testing/shared-postgres.ts'];
  const claimed = mkdtempSync(join(tmpdir(), 'xpk-tests-'));
  const workers = Array.from({ length: PROCESSES }, (_, index) => join(claimed, `${index}.mjs`));
  const [self, folder, paths] = [import.meta.filename, claimed, files].map((value) => JSON.stringify(value));
  for (const worker of workers) writeFileSync(worker, `import { runUnclaimed } from ${self};\nawait runUnclaimed(${folder}, ${paths});\n`);
  const preloads = ['./tools/scripts/loopback-only.ts', ...(fast ? [] : ['./tools/scripts/on-installed-package.ts'])];
  const imports = preloads.flatMap((file) => ['--import', file]);
  const count = join(claimed, 'count');
  const reporters = Object.entries({ spec: 'stdout', './tools/scripts/count-tests.ts': count }).flatMap(([reporter, destination]) => [
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${destination}`,
  ]);
  const args = [...imports, '--test', `--test-concurrency=${PROCESSES}`, ...reporters, ...flags, ...workers];
  const calls = join(claimed, 'calls');
  mkdirSync(calls);
  const env = { ...process.env, ...(fast ? { XPK_TEST_POSTGRES: 'none' } : { XPK_TEST_CALLS: calls }) };
  const runner = spawn(process.execPath, args, { stdio: 'inherit', env });
  const status = await new Promise<number | null>((end) => runner.on('close', end));
  const uncalled = fast || slow ? [] : await (await import('./uncalled.ts')).listUncalled(calls);
  for (const name of uncalled) console.error(`✗ No test calls ${name} successfully on the installed package.`);
  const failures = uncalled.length > 0 ? 1 : (status ?? 1);
  if (!fast) recordFigures(slow ? 'slow-tests' : 'tests', { tests: Number(readFileSync(count, 'utf8')), failures });
  rmSync(claimed, { recursive: true });
  return failures;
}

/** A process claims a file by creating a folder in `claimed`. */
export async function runUnclaimed(claimed: string, files: readonly string[]): Promise<void> {
  for (const [index, file] of files.entries()) {
    try {
      mkdirSync(join(claimed, `${index}`));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    const before = readVariables();
    await test(file, async () => void (await import(resolve(file))));
    assert.deepEqual(readVariables(), before, `${file} leaves variables to the next file`);
  }
}

/** The variables that change what a command does. */
const readVariables = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => /^XPK_(?!TEST_)/.test(name)));
