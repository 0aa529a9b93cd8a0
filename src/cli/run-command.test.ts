import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { listen } from '../store/testing/listen.ts';
import { createInvocation, runCommand } from './run-command.ts';

test('on Windows, a shell runs the command, and words with special characters are quoted', () => {
  const words = ['npm', 'test', '--', 'two words', 'a"b', '..\\a.ts'];
  assert.deepEqual(createInvocation(words, 'win32'), { file: 'npm test -- "two words" "a""b" ..\\a.ts', args: [], shell: true });
  assert.deepEqual(createInvocation(words, 'linux'), { file: 'npm', args: words.slice(1), shell: false });
});

test('at the limit, the command and the programs that it has started are ended', { skip: process.platform === 'win32' }, async () => {
  const limit = new AbortController();
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  await using server = await listen(
    createServer(({ socket }) => {
      socket.once('close', () => resolve());
      limit.abort();
    }),
  );
  // The shell ends at SIGTERM, and the program that it has started does not.
  const script = `process.on('SIGTERM', () => {}); fetch('${server.url}')`;
  const ended = await runCommand(['sh', '-c', `"${process.execPath}" -e "${script}" & wait`], process.env, { limit: limit.signal });
  assert.equal(ended.status, 128 + 15);
  // Only the end of the program closes its connection.
  await closed;
});
