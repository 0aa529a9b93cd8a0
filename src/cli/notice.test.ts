import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withNotice } from './notice.ts';

for (const [where, isTTY, takesMs, expected] of [
  ['at a terminal', true, 2000, ['Waiting for a kit. Press Ctrl-C to stop.\n']],
  ['at a terminal', true, 1999, []],
  ['in a pipe', false, 2000, []],
] as const)
  test(`${where}, a command that takes ${takesMs} ms prints ${expected.length} notices`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const written: string[] = [];
    const { promise, resolve } = Promise.withResolvers<number>();
    const result = withNotice('Waiting for a kit.', promise, { isTTY, write: (text: string) => written.push(text) });
    t.mock.timers.tick(takesMs);
    resolve(1);
    assert.deepEqual([await result, written], [1, expected]);
  });
