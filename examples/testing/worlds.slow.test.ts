import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { createKit } from '../../src/kit.ts';

const playwright = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
const kit = await createKit({ port: 0 });
after(() => kit.close());
const run = (file: string, args: readonly string[]) =>
  promisify(execFile)(file, args, { env: { ...process.env, NODE_TEST_CONTEXT: undefined, XPK_URL: kit.url } }).catch((error) =>
    assert.fail(`${error.stdout}${error.stderr}`),
  );

test("Playwright's workers share a kit, and each test has its own world", async () => {
  const { stdout } = await run(process.execPath, [
    ...[playwright, 'test', '--config', 'examples/testing/playwright.config.ts', '--reporter', 'json'],
    ...['worlds.spec', '--workers', '4', '--repeat-each', '3'],
  ]);
  const { expected, unexpected } = JSON.parse(stdout).stats;
  assert.deepEqual([expected, unexpected], [6, 0]);
});

test('tests of Node.js run at the same time, each in its own world', async () => {
  assert.match((await run(process.execPath, ['--test', 'examples/worlds/worlds.test.mjs'])).stdout, /pass 2/);
});

test('tests in Python have their own worlds', async () => {
  assert.match((await run('python3', ['examples/worlds/test_worlds.py'])).stderr, /Ran 2 tests[\s\S]*OK/);
});

test('the worlds have ended with their tests', async () => {
  assert.deepEqual((await kit.control.GET('/_control/worlds')).data, []);
});
