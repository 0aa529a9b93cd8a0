import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runXpk } from '../../src/cli/conformance/testing/run-xpk.ts';
import { randomAt } from '../../src/clock/random.ts';
import { createKit } from '../../src/kit.ts';
import { startProxy } from './mutants/forward.ts';

const TRIES = 20;
/** Of this many answers, one is wrong. */
const PERIOD = 20;
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

/**
 * Starts a kit behind a proxy that answers one of 20 requests to the service with an empty 500.
 * @param seed decides which one of each 20 answers is wrong
 */
async function startFlakyServer(seed: number) {
  const kit = await createKit({ port: 0 });
  let answers = 0;
  const proxy = await startProxy(async (request) => {
    if (request.operation === undefined) return proxy.forward(kit.url + request.url, request);
    const block = Math.floor(answers / PERIOD);
    const isWrong = answers % PERIOD === Math.floor(randomAt(seed, block) * PERIOD);
    answers += 1;
    return isWrong ? { status: 500, headers: {}, text: '' } : proxy.forward(kit.url + request.url, request);
  });
  return {
    url: proxy.url,
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await kit.close();
    },
  };
}
