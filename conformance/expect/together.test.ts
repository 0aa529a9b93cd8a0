import assert from 'node:assert/strict';
import { test } from 'node:test';
import { together } from './together.ts';

/** Says what it makes before it gives it. */
async function* row(log: string[], ...steps: readonly string[]): AsyncGenerator<string> {
  for (const step of steps) {
    log.push(`made ${step}`);
    yield step;
  }
}

test('the next ones of all rows are made before the first of them is given, and none of the ones after', async () => {
  const log: string[] = [];
  for await (const step of together(row(log, 'a1', 'a2'), row(log, 'b1', 'b2'))) log.push(`given ${step}`);
  assert.deepEqual(log, ['made a1', 'made b1', 'given a1', 'given b1', 'made a2', 'made b2', 'given a2', 'given b2']);
});

async function all(steps: AsyncIterable<string>): Promise<readonly string[]> {
  const given: string[] = [];
  for await (const step of steps) given.push(step);
  return given;
}

test('a longer row goes on when the others have ended', async () => {
  assert.deepEqual(await all(together(row([], 'a1'), row([], 'b1', 'b2', 'b3'))), ['a1', 'b1', 'b2', 'b3']);
});

test('where a row fails the others have made what they were about to make', async () => {
  const log: string[] = [];
  async function* failing(): AsyncGenerator<string> {
    yield 'a1';
    throw new Error('no more');
  }
  await assert.rejects(all(together(failing(), row(log, 'b1', 'b2'))), /no more/);
  assert.deepEqual(log, ['made b1', 'made b2']);
});
