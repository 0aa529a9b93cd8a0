import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInParallel } from './in-parallel.ts';

async function* generateSteps(log: string[], ...steps: readonly string[]): AsyncGenerator<string> {
  for (const step of steps) {
    log.push(`made ${step}`);
    yield step;
  }
}

test('every generator completes exactly one step before any result is yielded, and a longer one continues alone', async () => {
  const log: string[] = [];
  for await (const step of runInParallel(generateSteps(log, 'a1'), generateSteps(log, 'b1', 'b2'))) log.push(`yielded ${step}`);
  assert.deepEqual(log, ['made a1', 'made b1', 'yielded a1', 'yielded b1', 'made b2', 'yielded b2']);
});

test('if a generator fails, the other generators complete their current step', async () => {
  const log: string[] = [];
  async function* generateFailure(): AsyncGenerator<string> {
    yield 'a1';
    throw new Error('no more');
  }
  const steps = runInParallel(generateFailure(), generateSteps(log, 'b1', 'b2'));
  await steps.next();
  await steps.next();
  await assert.rejects(steps.next(), /no more/);
  assert.deepEqual(log, ['made b1', 'made b2']);
});
