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
  assert.deepEqual(file.written, ['  6 of 100 checks; about 94 s left, 5 s\n', ' 11 of 100 checks; about 89 s left, 10 s\n']);
});

test('while checks wait, the progress shows the running check and the time', () => {
  let time = 0;
  const [terminal, file] = [{ ...createSink(true), columns: 200 }, createSink(false)];
  const displays = [terminal, file].map((sink) => createProgress(100, sink, () => time));
  for (time = 5000; time <= 10_000; time += 5000) for (const display of displays) display.remind('x');
  assert.match(terminal.written.at(-1) ?? '', / {2}0 of 100 checks {2}10 s, running: x$/);
  assert.deepEqual(file.written, ['  0 of 100 checks, 5 s\n', '  0 of 100 checks, 10 s\n']);
});

test('the progress counts failed documented rules, failed implied rules and errors separately', () => {
  const terminal = { ...createSink(true), columns: 200 };
  const progress = createProgress(9, terminal, () => 0);
  for (const failure of ['documented', 'implied', 'documented', 'error'] as const) progress.advance('x', failure);
  assert.match(terminal.written.at(-1) ?? '', /4 of 9 checks; failed: 2 documented, 1 implied; errors: 1 {2}x$/);
});

test('the time left includes the random sequences, which run after the other checks', () => {
  let time = 0;
  const terminal = { ...createSink(true), columns: 200 };
  const progress = createProgress(6, terminal, () => time, { count: 2, durationMs: 20_000 });
  const readTimeLeft = () => /about \d+ s left/.exec(terminal.written.at(-1) ?? '')?.[0];
  for (; time < 2000; time += 1000) progress.advance('x');
  progress.advance('x');
  assert.equal(readTimeLeft(), 'about 21 s left');
  progress.advance('x');
  time += 5000;
  progress.remind('exploration');
  assert.equal(readTimeLeft(), 'about 15 s left');
});
