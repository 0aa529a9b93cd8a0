import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPacer } from './pacer.ts';

test('calls are spread evenly, and a call after an idle period does not wait', async () => {
  let time = 0;
  const waited: number[] = [];
  const pace = createPacer(
    10,
    () => time,
    async (ms) => void waited.push(ms),
  );
  for (let n = 0; n < 3; n++) await pace();
  time = 1000;
  await pace();
  assert.deepEqual(waited, [100, 200]);
});
