import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgress } from './progress.ts';

function createSink(isTTY: boolean) {
  const written: string[] = [];
  return { written, isTTY, columns: 50, write: (text: string) => written.push(text) };
}

test('on a terminal, the progress is one line that is overwritten and truncated to the terminal width', () => {
  const terminal = createSink(true);
  const progress = createProgress(12, terminal, () => 0);
  progress.advance('assignments.list.filter-required (flat)', 'documented');
  progress.end();
  assert.deepEqual(terminal.written, ['\r\u001b[2K 1 of 12 checks; failed: 1 documented  assignment', '\r\u001b[2K']);
});

test('without a terminal, the progress is written as a new line every five seconds', () => {
  let time = 0;
  const file = createSink(false);
  const progress = createProgress(100, file, () => time);
  for (; time <= 12_000; time += 1000) progress.advance('x');
  progress.end();
  assert.deepEqual(file.written, ['  6 of 100 checks, 5 s\n', ' 11 of 100 checks, 10 s\n']);
});

test('the progress counts failed documented rules, failed implied rules and errors separately', () => {
  const terminal = { ...createSink(true), columns: 200 };
  const progress = createProgress(9, terminal, () => 0);
  for (const failure of ['documented', 'implied', 'documented', 'error'] as const) progress.advance('x', failure);
  assert.match(terminal.written.at(-1) ?? '', /4 of 9 checks; failed: 2 documented, 1 implied; errors: 1 {2}x$/);
});
