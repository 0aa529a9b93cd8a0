import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testProviders } from './providers.ts';

test('providers that use the same replicas at the same time cannot see entities of other providers', async (t) => {
  const { counts, problems } = await testProviders({ providers: 50, seconds: 4 }, (line) => t.diagnostic(line));
  assert.deepEqual(Object.values(problems).flat(), []);
  assert.ok(Number(counts['writes acknowledged']) > 100);
});
