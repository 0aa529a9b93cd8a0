import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInParallel } from './in-parallel.ts';

async function* generateSteps(log: string[], ...steps: readonly string[]): AsyncGenerator<string> {
  for (const step of steps) {
    log.push(`made ${step}`);
    yield step;
  }
}

test('every generator completes exactly one step before any result is yielded', async () => {
  const log: string[] = [];
  for await (const step of runInParallel(generateSteps(log, 'a1', 'a2'), generateSteps(log, 'b1', 'b2'))) log.push(`yielded ${step}`);
  assert.deepEqual(log, ['made a1', 'made b1', 'yielded a1', 'yielded b1', 'made a2', 'made b2', 'yielded a2', 'yielded b2']);
});

async function collectAll(steps: AsyncIterable<string>): Promise<readonly string[]> {
  const yielded: string[] = [];
  for await (const step of steps) yielded.push(step);
  return yielded;
}

test('a longer generator continues after the shorter generators have ended', async () => {
  assert.deepEqual(await collectAll(runInParallel(generateSteps([], 'a1'), generateSteps([], 'b1', 'b2', 'b3'))), ['a1', 'b1', 'b2', 'b3']);
});

test('if a generator fails, the other generators complete their current step', async () => {
  const log: string[] = [];
  async function* generateFailure(): AsyncGenerator<string> {
    yield 'a1';
    throw new Error('no more');
  }
  await assert.rejects(collectAll(runInParallel(generateFailure(), generateSteps(log, 'b1', 'b2'))), /no more/);
  assert.deepEqual(log, ['made b1', 'made b2']);
});
