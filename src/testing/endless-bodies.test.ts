import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { test } from 'node:test';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { createControl, findControl } from '../../conformance/target/control.ts';
import { createHookCalls } from '../../conformance/target/hook-calls.ts';
import { send } from '../../conformance/target/send.ts';
import { callHook } from '../checks/webhook/hooks.ts';
import { readState } from '../checks/webhook/view.ts';
import { fetchWhole } from '../contract/limited-body.ts';
import { createControlClient } from '../control-client/client.ts';
import { listen } from '../store/testing/listen.ts';
import { startEndlessServer } from './endless-server.ts';

const CLIENTS: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  "the suite's API and OAuth clients": (url) => send('GET', url, {}, { headers: {}, timeoutMs: 60_000 }),
  "the suite's control client": (url) => createControl(url).now(),
  'a hook of a profile': (url) => createHookCalls({ urls: { users: url }, headers: {} }, 60_000).call('users', 'account-1'),
  'the control client': (url) => createControlClient(url).GET('/_control/info'),
  'the state URL of xpk check webhook': (url) => readState({ url }),
  'the restart URL of xpk check webhook': (url) =>
    callHook({ restart: { url } }, 'restart', { connect: async () => {}, hold: async () => [] }),
};

for (const [name, call] of Object.entries(CLIENTS))
  test(`an endless response body ends with an error that names the URL and the limit: ${name}`, async () => {
    await using server = await startEndlessServer({ 'xpk-version': '1' });
    await assert.rejects(call(server.url), ({ message }: Error) => message.includes(server.url) && / is larger than \d+ MB/.test(message));
    assert.ok(server.taken < 280_000_000, `${server.taken}`);
  });

test('a server with an endless response body has no control API', async () => {
  await using server = await startEndlessServer();
  assert.deepEqual(await findControl(server.url), { state: 'none' });
  assert.ok(server.taken < 40_000_000, `${server.taken}`);
});

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
for (const [encoding, compress] of [
  ['gzip', () => createGzip({ level: 1 })],
  ['br', () => createBrotliCompress(quality)],
] as const)
  test(`the limit applies to the decompressed body: ${encoding}`, async () => {
    await using server = await startEndlessServer({ 'content-encoding': encoding }, compress);
    await assert.rejects(fetchWhole(`${server.url}/state?secret=1`), new Error(`${server.url}/state: the body is larger than 16 MB`));
  });

test('a response whose end does not arrive in time ends with an error that names the URL and the limit', async () => {
  await using server = await listen(createServer((_, response) => void response.write('{')));
  const late = fetchWhole(`${server.url}/`, {}, { timeoutMs: 100 });
  await assert.rejects(late, new Error(`${server.url}/: there was no complete response within 0.1 s`));
});

test('the check of a webhook endpoint does not follow a redirect of the state URL', async () => {
  let requests = 0;
  const answerOther = (_: unknown, response: ServerResponse) => {
    requests++;
    response.end('{}');
  };
  await using other = await listen(createServer(answerOther));
  await using server = await listen(createServer((_, response) => void response.writeHead(302, { location: `${other.url}/` }).end()));
  const state = readState({ url: `${server.url}/` });
  await assert.rejects(state, /responded with 302 and a redirect to http:.*, which the check does not follow\. It must respond with 200/);
  assert.equal(requests, 0);
});
