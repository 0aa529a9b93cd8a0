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
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const start = (file: string, args: readonly string[], variables = {}) =>
  promisify(execFile)(file, args, { env: { ...process.env, NODE_TEST_CONTEXT: undefined, XPK_URL: kit.url, ...variables } });
const run = (...given: Parameters<typeof start>) => start(...given).catch((error) => assert.fail(`${error.stdout}${error.stderr}`));
const runFailing = (...args: readonly string[]) =>
  start(process.execPath, args).then(
    () => assert.fail('the test passed'),
    ({ stdout, stderr }: Record<'stdout' | 'stderr', string>) => ({ stdout, stderr }),
  );
const listWorlds = async () => (await kit.control.GET('/_control/worlds')).data;

test("Playwright's workers share a kit, and each test has its own world", async () => {
  const { stdout } = await run(process.execPath, [
    ...[playwright, 'test', '--config', 'examples/testing/playwright.config.ts', '--reporter', 'json'],
    ...['worlds.spec', '--workers', '4', '--repeat-each', '3'],
  ]);
  const { expected, unexpected } = JSON.parse(stdout).stats;
  assert.deepEqual([expected, unexpected], [6, 0]);
});

test("vitest's tests run at the same time, each in its own world", async () => {
  const args = [vitest, 'run', '--dir', 'examples/worlds', '--reporter', 'tap-flat', '--test-timeout', '60000', 'vitest.test'];
  // Without XPK_URL, the tests start a kit.
  for (const variables of [{}, { XPK_URL: undefined }]) {
    const { stdout } = await run(process.execPath, args, variables);
    assert.equal(stdout.match(/^ok /gm)?.length, 2, stdout);
  }
});

test('tests of Node.js run at the same time, each in its own world', async () => {
  assert.match((await run(process.execPath, ['--test', 'examples/worlds/worlds.test.mjs'])).stdout, /pass 2/);
});

test('tests in Python have their own worlds', async () => {
  assert.match((await run('python3', ['examples/worlds/test_worlds.py'])).stderr, /Ran 2 tests[\s\S]*OK/);
});

test('the worlds have ended with their tests', async () => {
  assert.deepEqual(await listWorlds(), []);
});

test("Playwright's report of a failed test contains the requests that its world has answered, and a link to the world, which stays", async () => {
  const args = [playwright, 'test', '--config', 'examples/testing/playwright.config.ts', '--reporter', 'json', 'failing.spec'];
  const { stdout } = await runFailing(...args);
  const [result] = JSON.parse(stdout).suites[0].suites[0].specs[0].tests[0].results;
  const { body } = result.attachments.find(({ name }: { name: string }) => name === 'requests');
  const [{ path, status }] = JSON.parse(Buffer.from(body, 'base64').toString());
  assert.deepEqual([path, status], ['/users/nobody', 401]);
  const [world] = await listWorlds();
  assert.equal(world?.label, 'testing/failing.spec.mjs › a group › a test that fails');
  assert.deepEqual(
    result.annotations.map(({ description }: { description: string }) => description),
    [`${world?.console}requests`],
  );
  await kit.control.DELETE('/_control/worlds/{name}', { params: { path: { name: world!.name } } });
});

test('a failed test of vitest prints the requests that its world has answered, and a link to the world, which stays', async () => {
  const args = [vitest, 'run', '--dir', 'examples/testing', '--test-timeout', '60000', 'failing.test'];
  const { stderr } = await runFailing(...args);
  const [world] = await listWorlds();
  assert.equal(world?.label, 'a group › a test that fails');
  assert.ok(stderr.includes(`The world of this test answered:\n  401 GET /users/nobody\n${world?.console}requests\n`), stderr);
});
