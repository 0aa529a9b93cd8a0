import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createDeadlines, type TimedAttempt } from './deadlines.ts';

function startDeadlines(t: TestContext) {
  let now = 0;
  const ended: string[] = [];
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { mock } = t.mock.method(globalThis, 'setTimeout');
  const deadlines = createDeadlines();
  return {
    ended,
    timers: () => mock.callCount(),
    advanceTime(ms: number) {
      now += ms;
      t.mock.timers.tick(ms);
    },
    add(name: string): TimedAttempt {
      const attempt = { deadline: now + 100, onDeadline: () => void ended.push(name) };
      deadlines.add(attempt);
      return attempt;
    },
    delete: deadlines.delete,
  };
}

test('an attempt ends at its deadline, and not earlier', (t) => {
  const { add, advanceTime, ended, ...deadlines } = startDeadlines(t);
  const a = add('a');
  advanceTime(40);
  add('b');
  advanceTime(59);
  assert.deepEqual(ended, []);
  advanceTime(1);
  assert.deepEqual(ended, ['a']);
  assert.equal(deadlines.delete(a), false);
  advanceTime(40);
  assert.deepEqual(ended, ['a', 'b']);
});

test('nothing happens at the deadline of an attempt that has already ended', (t) => {
  const { add, advanceTime, ended, ...deadlines } = startDeadlines(t);
  const [a] = [add('a'), add('b')];
  assert.equal(deadlines.delete(a), true);
  advanceTime(100);
  assert.deepEqual(ended, ['b']);
});

test('many attempts share one timer', (t) => {
  const { add, timers, ...deadlines } = startDeadlines(t);
  const attempts = Array.from({ length: 100 }, (_, index) => add(String(index)));
  assert.equal(timers(), 1);
  for (const attempt of attempts) deadlines.delete(attempt);
  assert.equal(timers(), 1);
});
