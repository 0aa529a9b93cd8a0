import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { createKit, type Kit } from '../kit.ts';
import { toTerminalText } from '../report/printable.ts';
import { formatEntry, showLogs } from './logs.ts';
import { createXpk } from './testing/run.ts';

const controlToken = 'canary-canary-canary';
let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0, controlToken });
  await readUser('2065550001');
  await readUser('1');
});
after(() => kit.close());

async function readUser(id: string): Promise<void> {
  const { full } = await kit.tokens();
  await fetch(`${kit.url}/users/${id}`, { headers: { authorization: `Bearer ${full}` } }).then((response) => response.text());
}

const createFlags = () => ['--url', kit.url, '--control-token', controlToken];
const runLogs = async (line = '') => stripVTControlCharacters(await createXpk(createFlags).xpk(`logs${line}`));

test('xpk logs prints a line with the number of each request, the newest last, and the reason for each refusal', async () => {
  assert.match(
    await runLogs(),
    /^#1 {5}\d\d:\d\d:\d\d\.\d{3} {2}200 {2}GET {5}\/users\/2065550001 {2}getUser {2}\d+ ms {2}[0-9a-f]{32}\n#2 {5}\S+ {2}404 {2}GET .*\n {21}Not Found: \S.*$/,
  );
});

test('xpk logs selects requests by status and operation, and --limit limits the number of requests', async () => {
  assert.match(await runLogs(' --status 4xx --operation getUser'), /^#2 .* {2}404 .*\n.*$/);
  assert.match(await runLogs(' --limit 1'), /^#2 .* {2}404 /);
  assert.equal(await runLogs(' --status 503'), '');
});

test('xpk logs --json prints a line of JSON for each request', async () => {
  const entries = (await runLogs(' --json')).split('\n').map((line) => JSON.parse(line) as { number: number; status: number });
  assert.deepEqual(
    entries.map(({ number, status }) => [number, status]),
    [
      [1, 200],
      [2, 404],
    ],
  );
});

test('xpk logs --follow prints every new request once', async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  await showLogs(
    { url: kit.url, controlToken, follow: true, limit: 1 },
    (line) => {
      lines.push(stripVTControlCharacters(line));
      if (lines.length === 1) void readUser('2').then(() => readUser('3'));
      if (lines.length === 3) stop.abort();
    },
    stop.signal,
  );
  assert.deepEqual(
    lines.map((line) => /\/users\/(\d+) /.exec(line)?.[1]),
    ['1', '2', '3'],
  );
});

test('xpk logs shows that a connection ended without a response, and escapes control characters', () => {
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
    stripVTControlCharacters(toTerminalText(formatEntry(entry as Parameters<typeof formatEntry>[0]))),
    `#1     03:04:05.678  ---  GET     /\\u001b[2J  2 ms  ${'a'.repeat(32)}\n${' '.repeat(21)}The connection ended without a response.`,
  );
});
