import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { createKit, type Kit } from '../kit.ts';
import { logLine } from './log-line.ts';
import { logsCommand, showLogs } from './logs.ts';

const controlToken = 'canary-canary-canary';
let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0, controlToken });
  await read('2065550001');
  await read('1');
});
after(() => kit.close());

async function read(id: string): Promise<void> {
  const { full } = await kit.tokens();
  await fetch(`${kit.url}/users/${id}`, { headers: { authorization: `Bearer ${full}` } }).then((response) => response.text());
}

/** What the command prints. */
async function logs(...args: string[]): Promise<string> {
  const printed: string[] = [];
  const log = mock.method(console, 'log', (text: string) => printed.push(text));
  try {
    await logsCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
      .parseAsync([...args, '--url', kit.url, '--control-token', controlToken], { from: 'user' });
  } finally {
    log.mock.restore();
  }
  return stripVTControlCharacters(printed.join('\n'));
}

test('xpk logs shows a line for each request, the newest last, and below it why one was refused', async () => {
  assert.match(
    await logs(),
    /^\d\d:\d\d:\d\d\.\d{3} {2}200 {2}GET {5}\/users\/2065550001 {2}getUser {2}\d+ ms {2}[0-9a-f]{32}\n\S+ {2}404 {2}GET .*\n {14}Not Found: \S.*$/,
  );
});

test('xpk logs shows what is asked for alone', async () => {
  assert.match(await logs('--status', '4xx', '--operation', 'getUser'), /^\S+ {2}404 .*\n.*$/);
  assert.match(await logs('--limit', '1'), /^\S+ {2}404 /);
  assert.equal(await logs('--status', '503'), '');
});

test('with --json every request is a line of JSON', async () => {
  const entries = (await logs('--json')).split('\n').map((line) => JSON.parse(line) as { number: number; status: number });
  assert.deepEqual(
    entries.map(({ number, status }) => [number, status]),
    [
      [1, 200],
      [2, 404],
    ],
  );
});

test('options that mean nothing are refused with what would be right', async () => {
  await assert.rejects(logs('--status', 'good'), /a status such as 404, or a class of them/);
  await assert.rejects(logs('--limit', '1001'), /It is 1000 at most/);
  await assert.rejects(logs('--operation', 'getUsr'), /no operation "getUsr". Did you mean "getUser"/);
});

test('with --follow it goes on with those to come, each once', async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  const flags = { url: kit.url, controlToken, follow: true, limit: 1 };
  await showLogs(
    flags,
    (line) => {
      lines.push(stripVTControlCharacters(line));
      if (lines.length === 1) void read('2').then(() => read('3'));
      if (lines.length === 3) stop.abort();
    },
    stop.signal,
  );
  assert.deepEqual(
    lines.map((line) => /\/users\/(\d+) /.exec(line)?.[1]),
    ['1', '2', '3'],
  );
});

test('a connection that ended without an answer is said to have, and nothing that was sent moves the cursor', () => {
  const entry = {
    number: 1,
    traceId: 'a'.repeat(32),
    at: '2026-01-02T03:04:05.678Z',
    door: 'service',
    method: 'GET',
    path: '/\x1b[2J',
    durationMs: 1.6,
  };
  assert.equal(
    stripVTControlCharacters(logLine(entry as Parameters<typeof logLine>[0])),
    `03:04:05.678  ---  GET     /?[2J  2 ms  ${'a'.repeat(32)}\n${' '.repeat(14)}The connection ended without an answer.`,
  );
});
