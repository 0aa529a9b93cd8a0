import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { Results } from '../src/contract/generated/results.ts';
import { copyExample } from './testing/copy.ts';

/**
 * Runs an npm script in a copy of the example.
 * @param report the folder with the report
 * @returns the report's rules that did not pass
 */
function run(script: string, report?: string): string[] {
  using copy = copyExample();
  const { status, stdout, stderr } = spawnSync('npm', ['run', script], {
    cwd: copy.folder,
    encoding: 'utf8',
    // Unset NODE_TEST_CONTEXT. Otherwise, the started test runner would behave as a child of this test runner.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  assert.equal(status, 0, stdout + stderr);
  if (report === undefined) return [];
  const { rules } = JSON.parse(readFileSync(join(copy.folder, report, 'results.json'), 'utf8')) as Results;
  return rules.filter(({ verdict }) => verdict !== 'passed').map(({ id }) => id);
}

suite('a copy of the example', () => {
  test('starts with the documented environment, names a missing variable, and stops on SIGTERM', async () => {
    using copy = copyExample();
    const main = [join(copy.folder, 'src/main.ts')];
    const { stderr } = spawnSync(process.execPath, main, { encoding: 'utf8', env: {} });
    assert.match(stderr, /Set the environment variable SERVICE_URL\./);
    const names = ['SERVICE_URL', 'AUTH_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'EXPERIENCE_ID', 'PUBLIC_URL'];
    const env = { ...Object.fromEntries(names.map((name) => [name, 'http://127.0.0.1:9'])), DATA_FOLDER: copy.folder, PORT: '0' };
    const started = spawn(process.execPath, main, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(started, 'close');
    assert.match(String((await once(started.stdout, 'data'))[0]), /Customers start at/);
    started.kill();
    assert.deepEqual(await ended, [0, null]);
  });

  test('passes its tests', () => void run('test'));

  test('passes every rule of xpk check client', () => assert.deepEqual(run('check:client', 'client-report'), []));

  test('passes every rule of xpk check webhook, except those that need a restart or a public address', () => {
    assert.deepEqual(run('check:webhook', 'webhook-report').sort(), [
      'events.consumer.deduplicates',
      'events.endpoint.acknowledges-what-it-keeps',
      'events.endpoint.certificate',
      'events.endpoint.https',
      'events.endpoint.port-443',
    ]);
  });
});
