import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { createKit, type Kit, type KitSettings } from '../kit.ts';
import { listen } from '../store/testing/listen.ts';
import { createCliClient, getResponseData } from './control-client.ts';
import { createXpk } from './testing/run.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(async () => {
  await kit.close();
});

async function readClock(url: string, controlToken?: string): Promise<string> {
  try {
    await getResponseData(createCliClient(url, controlToken).GET('/_control/clock'));
    return 'ok';
  } catch (error) {
    return (error as Error).message;
  }
}

async function readClockOfKit(settings: KitSettings, controlToken?: string): Promise<string> {
  const other = await createKit({ port: 0, ...settings });
  try {
    return await readClock(other.url, controlToken);
  } finally {
    await other.close();
  }
}

test('slashes at the end of --url are ignored', async () => {
  assert.deepEqual([await readClock(`${kit.url}/`), await readClock(`${kit.url}//`)], ['ok', 'ok']);
});

test('a --url with a password, a query or a fragment is refused with a message that does not contain the password', async () => {
  const { host } = new URL(kit.url);
  for (const url of [`http://evil:canary@${host}`, `${kit.url}?a=b`, `${kit.url}/#top`, 'localhost:4010', 'ftp://127.0.0.1', 'kit', ''])
    assert.equal(
      await readClock(url),
      '--url must be an http or https URL without user name, query or fragment, such as http://127.0.0.1:4010.',
    );
});

test('if there is no control API at --url, the message contains the reason or the correct URL', async () => {
  assert.match(
    await readClockOfKit({ control: false }),
    /^There is no control API at http:\S+: the server was started with --no-control\.$/,
  );
  for (const path of ['/experience', '/_control'])
    assert.match(await readClock(kit.url + path), /: try http:\/\/127\.0\.0\.1:\d+, without the path\.$/);
});

test('--url may have a path that a reverse proxy removes before it forwards the request', async () => {
  const proxy = createHttpServer(async (request, response) => {
    const { status, headers, body } = await fetch(kit.url + request.url?.replace(/^\/kit/, ''), { method: request.method as string });
    response.writeHead(status, { 'xpk-version': headers.get('xpk-version') ?? '' });
    Readable.fromWeb(body as never).pipe(response);
  });
  await using listening = await listen(proxy);
  assert.equal(await readClock(`${listening.url}/kit`), 'ok');
});

test('a missing, a wrong and a malformed control token cause different messages, which do not contain the token', async () => {
  const settings = { controlToken: 'canary-canary-canary' };
  assert.match(await readClockOfKit(settings), /requires the control token.*--control-token/);
  const wrong = await readClockOfKit(settings, 'another-canary-word');
  assert.match(wrong, /is not this kit's control token/);
  const impossible = await readClock(kit.url, 'ünï日本-canary');
  assert.match(impossible, /^The control token contains characters that are not allowed in an HTTP header\./);
  assert.doesNotMatch(wrong + impossible, /canary/);
  assert.equal(await readClock(kit.url, 'ünï-Latin'), 'ok');
});

test('if a server cannot be reached, the message contains the reason, both for an IP address and for a host name', async () => {
  const closed = await createKit({ port: 0 });
  await closed.close();
  for (const host of ['127.0.0.1', 'localhost'])
    assert.match(
      await readClock(`http://${host}:${closed.port}`),
      /^No response from http:\S+ \(.*ECONNREFUSED.*\)\. Start a server with: xpk start\./,
    );
  assert.match(await readClock('http://127.0.0.1:6000'), /^No response from \S+ \(bad port\)/);
  assert.match(await readClock(kit.url.replace('http:', 'https:')), new RegExp(`does not speak https\\. Try ${kit.url}$`));
});

test('a server that does not speak HTTP and a connection that ends early cause different messages', async () => {
  let answer: (socket: Socket) => void;
  const server = createServer((socket) => socket.on('error', () => socket.destroy()).once('data', () => answer(socket)));
  await using listening = await listen(server);
  for (const [respond, message] of [
    [(socket: Socket) => socket.end('220 mail.test ready\r\n'), /is not an xpk instance: it does not speak HTTP/],
    [(socket: Socket) => socket.destroy(), /^No response from /],
    [(socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'), /^No response from /],
  ] as const) {
    answer = respond;
    assert.match(await readClock(listening.url), message);
  }
});

test('if --url is the address of a real service, the message says that it has no control API, and what would be right', async () => {
  const service = createHttpServer((_, response) =>
    response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{"title":"Nothing here","status":404,"traceId":"1"}'),
  );
  await using listening = await listen(service);
  const { run } = createXpk(() => []);
  const listener = ['--subscription', 'events', '--forward-to', 'http://127.0.0.1:1'];
  for (const [command, ...args] of [
    ['logs --url'],
    ['listen --url', ...listener],
    ['check client --url'],
    ['check webhook --journal'],
    ['conformance --journal'],
    ['reset --url'],
  ]) {
    const { stderr, status } = await run(command!, listening.url, ...args);
    assert.equal(
      stderr,
      `xpk: The server at ${listening.url} is not an xpk instance: it has no control API, and responded with 404 Not Found. Give the address of a kit (xpk start), or of a proxy in front of a real service (xpk proxy --to URL).`,
    );
    assert.equal(status, 1);
  }
});

test('xpk prints all errors in a problem, not only the first', async () => {
  const { xpk } = createXpk(() => ['--url', kit.url]);
  await assert.rejects(xpk('state add users firstname=A lastname=B'), /account.*\n {2}\/firstname: .*\n {2}\/lastname: /);
});
