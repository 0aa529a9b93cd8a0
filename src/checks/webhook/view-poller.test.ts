import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createViewPoller } from './view-poller.ts';

test('after a long recovery, only comparisons after another recovery take longer', async (t) => {
  let [now, reads, different] = [0, 0, 0];
  t.mock.method(performance, 'now', () => now);
  const poller = createViewPoller(
    () => {
      reads++;
      now += 50;
      return {};
    },
    () => 5000,
  );
  const countReads = async (isRecovering: boolean) => {
    const before = reads;
    await poller.waitUntilEqual(() => ({ differences: different-- > 0 ? ['The state is different.'] : [] }), 1, isRecovering);
    return reads - before;
  };
  const event = await countReads(false);
  different = 20;
  await countReads(true);
  assert.equal(await countReads(false), event);
  assert.ok((await countReads(true)) > 20);
});
