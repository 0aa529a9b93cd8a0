import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createIds } from './ids.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('each id sorts after all previously generated ids, even if the wall clock stops or is set back', () => {
  mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 });
  try {
    const { uuid } = createIds();
    const ids = Array.from({ length: 10_000 }, uuid);
    mock.timers.setTime(1_799_999_999_000);
    ids.push(...Array.from({ length: 10 }, uuid));
    for (const id of ids) assert.match(id, UUID_V7);
    assert.deepEqual(ids.toSorted(), ids);
    assert.equal(new Set(ids).size, ids.length);
  } finally {
    mock.timers.reset();
  }
});
