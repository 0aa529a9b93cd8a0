import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runXpk } from '../../src/cli/conformance/testing/run-xpk.ts';
import { startFlakyServer } from './flaky-server.ts';

const TRIES = 20;
// Enough requests that the wrong answers do not all belong to the preparation.
const RULES = [
  'connections.get.shape',
  'connections.get.not-found',
  'users.list.account-id-required',
  'auth.token.missing',
  'auth.token.invalid',
];

test('--verify 3 never passes a server that answers one of 20 requests wrongly, and each report names the rule', async () => {
  for (let seed = 0; seed < TRIES; seed += 1) {
    await using server = await startFlakyServer(seed);
    const args = ['--base-url', server.url, '--no-own-world', '--form', 'flat', '--verify', '3', '--rule', ...RULES];
    const { status, stdout, stderr, results } = await runXpk(args);
    const unsteady = results.rules.filter(({ verdict }) => verdict === 'failed' || verdict === 'flaky').map(({ id }) => id);
    assert.deepEqual([status, unsteady.length > 0], [1, true], `seed ${seed}: ${stdout}${stderr}`);
    for (const id of unsteady) assert.ok(stdout.includes(`\n  ${id}  `), stdout);
  }
});
