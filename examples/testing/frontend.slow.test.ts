import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from '../../src/store/testing/free-port.ts';

const playwright = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
// Unset NODE_TEST_CONTEXT. Otherwise, the started process would behave as a child of this test runner.
const env = { ...process.env, NODE_TEST_CONTEXT: undefined };

test("the frontend example's tests pass in a browser", async () => {
  const args = [playwright, 'test', '--config', 'examples/testing/playwright.config.ts', '--reporter', 'json', 'frontend.spec'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch((error) => assert.fail(error.stdout));
  const { expected, unexpected, flaky, skipped } = JSON.parse(stdout).stats;
  assert.ok(expected > 0);
  assert.deepEqual([unexpected, flaky, skipped], [0, 0, 0]);
});

test("the frontend example's server starts with the documented environment", async () => {
  const pageUrl = `http://127.0.0.1:${await freePort()}`;
  const started = spawn(process.execPath, ['examples/frontend/server.mjs'], {
    env: { ...env, PAGE_URL: pageUrl, XPK_URL: 'http://127.0.0.1:9' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  assert.equal(String((await once(started.stdout, 'data'))[0]), `Open ${pageUrl}\n`);
  assert.match(await (await fetch(pageUrl)).text(), /<title>Assignments<\/title>/);
  const { headers } = await fetch(`${pageUrl}/login?number=%2B12065550100`, { redirect: 'manual' });
  assert.match(headers.get('location') ?? '', /^http:\/\/127\.0\.0\.1:9\/auth\/authorize\?.*login_hint=%2B12065550100$/);
  started.kill();
});
