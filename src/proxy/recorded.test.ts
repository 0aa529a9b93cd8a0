import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { openProxy, startProxy } from '../testing/proxy.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const JWT = `${encode({ alg: 'none' })}.${encode({ sub: 'principal-1', client_id: 'client-1', scope: 'users:manage', exp: 2_000_000_000 })}.signature`;

/** Answers with every secret of the request, and with its own, wherever a server may put them. */
const repeatSecrets: RequestListener = async (req, res) => {
  const { authorization = '', cookie = '' } = req.headers;
  const body = await text(req);
  const token = authorization.replace('Bearer ', '');
  res.setHeader('Set-Cookie', ['session=own-cookie-value', 'other=own-cookie-value']);
  res.setHeader('WWW-Authenticate', `Bearer error_description="${token} is wrong"`);
  res.setHeader('Location', `/next?access_token=own-access-token&x=1#id_token=own-id-token`);
  res.setHeader('X-Echo', `${cookie} ${JWT}`);
  if (req.url?.startsWith('/plain')) return res.writeHead(200, { 'Content-Type': 'text/plain' }).end(`hello ${token} ${cookie} ${JWT}`);
  if (req.url?.startsWith('/cut')) return res.end(`${' x'.repeat(8180)}${token}${token}`);
  const secrets = { access_token: 'own-access-token', client_secret: 'own-client-secret', id: 'kept', text: `${token} ${cookie}` };
  const json = JSON.stringify({ ...secrets, nested: [secrets], jwt: JWT, detail: body.includes('secret') ? 'seen' : body });
  const isCompressed = req.url?.includes('gzip');
  res.writeHead(401, { 'Content-Type': 'application/json', ...(isCompressed && { 'Content-Encoding': 'gzip' }) });
  res.end(isCompressed ? gzipSync(json) : json);
};

test('no output about recorded requests contains a token, a secret or a cookie of either side', async (t) => {
  const { targetUrl } = await startProxy(t, repeatSecrets);
  const { url, proxy } = await openProxy(t, { upstream: { api: targetUrl, auth: targetUrl } });
  const headers = (token: string) => ({
    authorization: `Bearer ${token}`,
    cookie: 'session=sent-cookie-value; theme=dark',
    'x-api-key': 'sent-api-key-value',
    'proxy-authorization': 'Basic sent-proxy-value',
  });
  const paths = [
    '/users/x',
    '/users?access_token=sent-query-token',
    '/plain',
    '/cut',
    '/gzip?client_secret=sent-query-secret',
    '/auth/oauth/token',
  ];
  for (const token of ['sent-opaque-value', JWT])
    for (const path of paths)
      for (const body of [
        'client_secret=sent-client-secret&code=sent-code-value',
        JSON.stringify({ client_secret: 'sent-client-secret' }),
      ]) {
        const type = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded';
        const sent = await fetch(`${url}${path}`, {
          method: 'POST',
          headers: { ...headers(token), 'content-type': type },
          body,
          redirect: 'manual',
        });
        await sent.arrayBuffer();
      }
  const entries = (await proxy.control.GET('/_control/requests')).data;
  assert.equal(entries.length, 24);
  const outputs = [JSON.stringify(entries)];
  for (const { traceId } of entries) outputs.push(await (await fetch(`${url}/_control/explain/${traceId}`)).text());
  const stream = await fetch(`${url}/_control/stream?only=requests&since=0`);
  outputs.push(Buffer.from((await stream.body!.getReader().read()).value!).toString());
  const output = outputs.join('\n');
  for (const secret of [/\b(sent|own)-\w+/, new RegExp(JWT.slice(0, 60))]) assert.equal(secret.exec(output)?.[0], undefined);
  assert.ok(output.includes('"id":"kept"'));
});

test('an access token is recorded as its fingerprint, with the claims of a JWT', async (t) => {
  const { url, list } = await startProxy(t, (_, res) => res.end());
  for (const token of [JWT, JWT, 'opaque-token']) await fetch(`${url}/users/x`, { headers: { authorization: `Bearer ${token}` } });
  const [opaque, second, first] = (await list()).map(({ credential }) => credential!);
  assert.equal(first!.fingerprint, second!.fingerprint);
  assert.notEqual(first!.fingerprint, opaque!.fingerprint);
  const { fingerprint: _, ...claims } = first!;
  assert.deepEqual(claims, {
    clientId: 'client-1',
    principalId: 'principal-1',
    scopes: ['users:manage'],
    expiresAt: '2033-05-18T03:33:20.000Z',
  });
  assert.deepEqual(Object.keys(opaque!), ['fingerprint']);
  const strange = `x.${encode({ exp: -1e300, scope: 1, sub: {} })}.x`;
  assert.equal((await fetch(`${url}/users/x`, { headers: { authorization: `Bearer ${strange}` } })).status, 200);
});

const CODINGS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };

for (const [coding, compress] of Object.entries(CODINGS)) {
  test(`a response in the coding ${coding} is passed on as it is, and recorded without the coding`, async (t) => {
    const bytes = compress(JSON.stringify({ id: 'ä' }));
    const { port, list } = await startProxy(t, (_, res) =>
      res.writeHead(200, { 'content-encoding': coding, 'content-length': bytes.length }).end(bytes),
    );
    const { get } = await import('node:http');
    const received = await new Promise<Buffer>((resolve) =>
      get({ port, path: '/x' }, async (res) => resolve(Buffer.concat(await res.toArray()))),
    );
    assert.deepEqual(received, bytes);
    const [entry] = await list();
    assert.deepEqual([entry!.response!.body, entry!.response!.bodyBytes], [{ id: 'ä' }, 11]);
  });
}

test('the cursor of a page is recorded even if the page is larger than what is kept, in any order of the members', async (t) => {
  const entities = Array.from({ length: 2000 }, (_, index) => ({ id: `user-${index}`, name: 'a name that makes the page large' }));
  const pages = [
    { cursor: 'first "member', pageSize: 500, entities },
    { entities, pageSize: 500, cursor: 'last', count: 9 },
    { entities, cursor: null, pageSize: 500 },
  ];
  const { url, list } = await startProxy(t, (req, res) => {
    const page = JSON.stringify(pages[Number(req.url!.slice(-1))]);
    const isCompressed = req.url!.startsWith('/gzip');
    res.writeHead(200, isCompressed ? { 'content-encoding': 'gzip' } : {}).end(isCompressed ? gzipSync(page) : page);
  });
  for (const path of ['/users?page=0', '/users?page=1', '/gzip?page=1', '/users?page=2', '/users?page=3'])
    await (await fetch(`${url}${path}`)).text();
  const recorded = (await list()).reverse();
  assert.deepEqual(
    recorded.map(({ nextCursor }) => nextCursor),
    ['first "member', 'last', 'last', null, undefined],
  );
  assert.equal(recorded[0]!.response!.truncated, true);
});
