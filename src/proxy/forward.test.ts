import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { sendRaw } from '../http/testing/raw-client.ts';
import { openProxy, startProxy } from '../testing/proxy.ts';

const ACCOUNT = '019b76da-a800-7842-89c6-aab35372cefd';

interface Echoed {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: readonly string[];
  readonly body: string;
}

/** Answers with the request. */
const echo: RequestListener = async (req, res) => {
  const { method, url, headers, rawHeaders: raw } = req;
  res.setHeader('content-type', 'application/json').end(JSON.stringify({ method, url, headers, raw, body: await text(req) }));
};

const refuse: RequestListener = () => assert.fail('the target got a request');

for (const [path, operationId] of [
  [`/experience/connections?accountId=${ACCOUNT}&pageSize=2`, 'getExperienceConnections'],
  [`/experience-connections?accountId=${ACCOUNT}&x=%20+%C3%A4`, 'getExperienceConnections'],
  ['/users/a%2Fb', 'getUser'],
  ['/something/else?a=1&a=2', undefined],
  ['/?form=flat', undefined],
  ['//two/slashes', undefined],
  ['/openapi.json', undefined],
] as const) {
  test(`GET ${path} is forwarded unchanged, and recorded with the operation ${operationId}`, async (t) => {
    const { port, targetUrl, list } = await startProxy(t, echo);
    const bytes = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Own: 1\r\nX-Own: 2\r\n\r\n`;
    const { responses } = await sendRaw({ port, bytes });
    const sent = JSON.parse(responses[0]!.body) as Echoed;
    assert.deepEqual([sent.method, sent.url, sent.headers['x-own'], sent.body], ['GET', path, '1, 2', '']);
    assert.equal(`http://${sent.headers.host}`, targetUrl);
    const [entry] = await list();
    assert.deepEqual([entry!.path, entry!.operationId, entry!.status, entry!.step], [path, operationId, 200, 'forward']);
  });
}

test('a body is forwarded with its length or in chunks, and recorded on both sides', async (t) => {
  const { url, list } = await startProxy(t, echo);
  const body = JSON.stringify({ experienceId: 'x', text: 'ä' });
  const headers = { 'content-type': 'application/json' };
  for (const given of [body, new Blob([body]).stream()]) {
    const response = await fetch(`${url}/experience/assignments`, { method: 'POST', headers, body: given, duplex: 'half' } as RequestInit);
    const sent = (await response.json()) as Echoed;
    assert.equal(sent.body, body);
    assert.equal(sent.headers['content-length'], typeof given === 'string' ? String(Buffer.byteLength(body)) : undefined);
    const [entry] = await list();
    assert.deepEqual(entry!.request!.body, JSON.parse(body));
    assert.equal((entry!.response!.body as Echoed).body, body);
    assert.equal(entry!.response!.headers!['content-type'], 'application/json');
  }
});

test('headers about one connection are removed in both directions, and those that Connection names', async (t) => {
  const { port } = await startProxy(t, (req, res) => {
    const headers = [
      'Connection',
      'close, X-Hop',
      'X-Hop',
      '1',
      'Proxy-Authenticate',
      'Basic',
      'X-End',
      '1',
      'Set-Cookie',
      'a=1',
      'Set-Cookie',
      'b=2',
    ];
    res.writeHead(200, 'Fine', [...headers, 'X-Seen', req.rawHeaders.map((each) => each.toLowerCase()).join()]).end();
  });
  const lines = [
    'Connection: X-Own, keep-alive',
    'X-Own: 1',
    'Keep-Alive: 5',
    'TE: trailers',
    'Upgrade: h2c',
    'Expect: 100-continue',
    'Proxy-Authorization: Basic eA==',
    'X-End: 1',
  ];
  const { responses } = await sendRaw({
    port,
    bytes: `POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n${lines.join('\r\n')}\r\n\r\n`,
  });
  const {
    'x-seen': seen = '',
    'x-hop': hop,
    'proxy-authenticate': proxyHeader,
    'x-end': end,
    'set-cookie': cookies,
  } = responses.at(-1)!.headers;
  assert.deepEqual([hop, proxyHeader, end, cookies], [undefined, undefined, '1', 'a=1, b=2']);
  assert.deepEqual(
    seen.split(',').filter((_, index) => index % 2 === 0),
    ['host', 'connection', 'x-end', 'content-length'],
  );
});

test('statuses, redirects and HEAD are passed on, and redirects are not followed', async (t) => {
  const other = await startProxy(t, refuse);
  const { url, list } = await startProxy(t, (req, res) => {
    if (req.url === '/moved') return res.writeHead(307, { location: `${other.targetUrl}/elsewhere` }).end();
    if (req.url === '/none') return res.writeHead(204).end();
    res.writeHead(418, { 'content-length': 5 }).end(req.method === 'HEAD' ? undefined : 'short');
  });
  const moved = await fetch(`${url}/moved`, { redirect: 'manual' });
  assert.deepEqual([moved.status, moved.headers.get('location')], [307, `${other.targetUrl}/elsewhere`]);
  assert.equal((await fetch(`${url}/none`)).status, 204);
  const head = await fetch(`${url}/x`, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-length')], [418, '5']);
  assert.deepEqual(
    (await list()).map(({ status }) => status),
    [418, 204, 307],
  );
});

test('the target gets a base path, but no request to the control API, the console or a world', async (t) => {
  const urls: (string | undefined)[] = [];
  const { targetUrl } = await startProxy(t, refuse);
  const counted = await startProxy(t, ({ url }, res) => {
    urls.push(url);
    res.end();
  });
  const { url, port } = await openProxy(t, { upstream: { api: `${counted.targetUrl}/base/` } });
  for (const path of [
    '/_control/info',
    '/_control',
    '/_control/nothing',
    '/_console',
    '/_console/requests',
    '/_console?x',
    '/hooks',
    '/hooks/events',
    '/auth',
    '/auth/authorize',
    '/problems/proxy.cut',
  ])
    assert.ok((await fetch(`${url}${path}`)).status <= 404, path);
  assert.equal((await sendRaw({ port, bytes: `GET ${targetUrl}/absolute HTTP/1.1\r\nHost: localhost\r\n\r\n` })).responses[0]?.status, 200);
  assert.equal((await sendRaw({ port, bytes: 'GET /x HTTP/1.1\r\nHost: a.localhost\r\n\r\n' })).responses[0]?.status, 200);
  assert.equal((await sendRaw({ port, bytes: 'CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n' })).responses[0]?.status, 405);
  assert.equal((await sendRaw({ port, bytes: 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n' })).responses[0]?.status, 204);
  assert.equal((await sendRaw({ port, bytes: 'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n' })).responses[0]?.status, 403);
  assert.deepEqual(urls, ['/base/absolute', '/base/x']);
});

test('without a control API, its paths are not forwarded either', async (t) => {
  const target = await startProxy(t, refuse);
  const { url } = await openProxy(t, { control: false, upstream: { api: target.targetUrl } });
  assert.deepEqual([(await fetch(`${url}/_control/info`)).status, (await fetch(`${url}/_console`)).status], [404, 404]);
});

test('/auth is forwarded only with auth, to a server of its own, and the facts about logins are recorded', async (t) => {
  const without = await startProxy(t, refuse);
  const refused = await fetch(`${without.url}/auth/oauth/token`, { method: 'POST', body: 'x' });
  assert.deepEqual([refused.status, ((await refused.json()) as { type: string }).type], [404, '/problems/proxy.no-login']);
  const server = await startProxy(t, async (req, res) => {
    const location = `http://client/callback?code=a-code&state=s`;
    if (req.url === '/base/authorize?client_id=c') return res.writeHead(302, { location }).end();
    res
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ access_token: 'an-access-token', url: req.url, body: await text(req) }));
  });
  const { url, list } = await startProxy(t, refuse, { upstream: { auth: `${server.targetUrl}/base` } });
  const authorize = await fetch(`${url}/auth/authorize?client_id=c`, { redirect: 'manual' });
  assert.equal(authorize.headers.get('location'), 'http://client/callback?code=a-code&state=s');
  const response = await fetch(`${url}/auth/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_secret: 'a-secret', client_id: 'c', code: 'a-code' }),
  });
  const { url: path, body } = (await response.json()) as { url: string; body: string };
  assert.deepEqual([path, body], ['/base/oauth/token', 'client_secret=a-secret&client_id=c&code=a-code']);
  const [token, login] = await list();
  assert.deepEqual([token!.door, token!.operationId, login!.operationId], ['authorization', 'token', 'authorize']);
  assert.deepEqual(token!.oauth!.authentication, ['client_secret']);
  assert.equal(token!.oauth!.code, login!.oauth!.issued!.code);
});

test('deliveries to /hooks/NAME are passed on to the local endpoint, and its response back', async (t) => {
  const endpoint = await startProxy(t, async (req, res) =>
    res.writeHead(202, { 'x-seen': req.headers['webhook-id'] ?? '' }).end(`${req.url} ${await text(req)}`),
  );
  const events = { events: `${endpoint.targetUrl}/events`, two: `${endpoint.targetUrl}/two` };
  const { url, list } = await startProxy(t, refuse, { upstream: { events } });
  const headers = { 'content-type': 'application/json', 'webhook-id': 'msg-1', 'webhook-signature': 'v1,abc' };
  const response = await fetch(`${url}/hooks/events?x=1`, { method: 'POST', headers, body: '{"id":"e1"}' });
  assert.deepEqual([response.status, response.headers.get('x-seen'), await response.text()], [202, 'msg-1', '/events?x=1 {"id":"e1"}']);
  const [entry] = await list();
  assert.deepEqual([entry!.path, entry!.operationId, entry!.request!.body], ['/hooks/events?x=1', undefined, { id: 'e1' }]);
  assert.equal(entry!.request!.headers['webhook-signature'], 'v1,abc');
  assert.equal(await (await fetch(`${url}/hooks/two`, { method: 'POST', body: 'x' })).text(), '/two x');
  assert.equal((await fetch(`${url}/hooks/two`)).status, 405);
  const unknown = (await (await fetch(`${url}/hooks/three`, { method: 'POST' })).json()) as { type: string; detail: string };
  assert.deepEqual(
    [unknown.type, unknown.detail],
    ['/problems/proxy.unknown-hook', 'The proxy has these receivers: /hooks/events, /hooks/two.'],
  );
});
