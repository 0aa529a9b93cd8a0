import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgress } from './progress.ts';

function sink(isTTY: boolean) {
  const written: string[] = [];
  return { written, isTTY, columns: 40, write: (text: string) => written.push(text) };
}

test('on a terminal the progress is one line that is rewritten, and cut to the width of the terminal', () => {
  const terminal = sink(true);
  const progress = createProgress(12, terminal, () => 0);
  progress.advance('assignments.list.filter-required (flat)', true);
  progress.end();
  assert.deepEqual(terminal.written, ['\r\u001b[2K 1 of 12 checks, 1 failed  assignments.', '\r\u001b[2K']);
});

test('without a terminal the progress is a new line every five seconds', () => {
  let time = 0;
  const file = sink(false);
  const progress = createProgress(100, file, () => time);
  for (; time <= 12_000; time += 1000) progress.advance('x', false);
  progress.end();
  assert.deepEqual(file.written, ['  6 of 100 checks, 5 s\n', ' 11 of 100 checks, 10 s\n']);
});
