import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { createKit } from '../kit.ts';
import { createOriginGuard, type OriginGuardOptions } from './origin-guard.ts';

const JSON_BODY = { 'content-type': 'application/json', 'content-length': '2' };

function problemOf(method: string, headers: IncomingHttpHeaders, options: OriginGuardOptions = {}) {
  return createOriginGuard(options)({ method, headers: { host: 'localhost:4010', ...headers } })?.reason;
}

test('a request without browser headers may read and, with JSON, change', () => {
  assert.equal(problemOf('GET', {}), undefined);
  assert.equal(problemOf('POST', JSON_BODY), undefined);
});

for (const origin of ['http://localhost:4010', 'https://localhost:4010', 'http://LOCALHOST:4010']) {
  test(`the origin ${origin} is allowed`, () => assert.equal(problemOf('GET', { origin }), undefined));
}

test('the default port may be left out on either side', () => {
  assert.equal(problemOf('GET', { host: 'localhost', origin: 'http://localhost:80' }), undefined);
  assert.equal(problemOf('GET', { host: 'kit.localhost:443', origin: 'https://kit.localhost' }), undefined);
});

for (const origin of [
  'null',
  '',
  'http://localhost:4011',
  'http://localhost',
  'https://evil.example',
  'http://localhost:4010.evil.example',
  'file://',
  'chrome-extension://abc',
]) {
  test(`the origin ${JSON.stringify(origin)} is refused, even for reads`, () => {
    assert.equal(problemOf('GET', { origin }), 'http.foreign-origin');
    assert.equal(problemOf('POST', { origin, ...JSON_BODY }), 'http.foreign-origin');
  });
}

test('the origin of the public URL is allowed', () => {
  const options = { publicUrl: 'https://kit.example.com/' };
  assert.equal(problemOf('GET', { origin: 'https://kit.example.com' }, options), undefined);
  assert.equal(problemOf('GET', { origin: 'http://kit.example.com' }, options), 'http.foreign-origin');
});

test('an allowed origin may use the control API from another site, with JSON only and with the token', () => {
  const origin = 'http://localhost:5173';
  const options = { allow: [origin] };
  const headers = { origin, 'sec-fetch-site': 'cross-site' };
  assert.equal(problemOf('GET', headers, options), undefined);
  assert.equal(problemOf('POST', { ...headers, ...JSON_BODY }, options), undefined);
  assert.equal(problemOf('POST', { ...headers, 'content-type': 'text/plain' }, options), 'http.unsupported-media-type');
  assert.equal(problemOf('GET', headers, { ...options, token: 's3cret' }), 'http.control-token-required');
  assert.equal(problemOf('GET', { 'sec-fetch-site': 'cross-site' }, options), 'http.foreign-origin');
  for (const other of ['http://localhost:5174', 'https://localhost:5173', 'http://localhost:5173.evil.example', 'null']) {
    assert.equal(problemOf('GET', { ...headers, origin: other }, options), 'http.foreign-origin', other);
  }
});

test('the refusal of a foreign origin names the option that allows it', () => {
  const detail = (origin: string) => createOriginGuard()({ method: 'GET', headers: { host: 'localhost', origin } })?.detail ?? '';
  assert.match(detail('http://localhost:5173'), /--allow-origin http:\/\/localhost:5173 /);
  assert.doesNotMatch(detail('null'), /--allow-origin/);
});

for (const [site, expected] of [
  ['same-origin', undefined],
  ['none', undefined],
  ['same-site', 'http.foreign-origin'],
  ['cross-site', 'http.foreign-origin'],
  ['anything', 'http.foreign-origin'],
] as const) {
  test(`Sec-Fetch-Site: ${site} is ${expected === undefined ? 'allowed' : 'refused'}`, () => {
    assert.equal(problemOf('GET', { 'sec-fetch-site': site }), expected);
  });
}

for (const type of [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'text/plain; application/json',
  '',
]) {
  test(`a mutation of type ${JSON.stringify(type)} is refused`, () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      assert.equal(problemOf(method, { 'content-type': type, 'content-length': '2' }), 'http.unsupported-media-type');
    }
  });
}

test('application/json may have parameters and any case', () => {
  assert.equal(problemOf('PUT', { ...JSON_BODY, 'content-type': 'Application/JSON ; charset=utf-8' }), undefined);
});

test('a POST without a body needs the content type, too, because a page could send it without a preflight', () => {
  assert.equal(problemOf('POST', { 'content-length': '0' }), 'http.unsupported-media-type');
});

test('a DELETE needs the content type only if it has a body', () => {
  assert.equal(problemOf('DELETE', {}), undefined);
  assert.equal(problemOf('DELETE', { 'transfer-encoding': 'chunked' }), 'http.unsupported-media-type');
});

test('both headers can contain the token', () => {
  const options = { token: 's3cret' };
  assert.equal(problemOf('GET', { authorization: 'Bearer s3cret' }, options), undefined);
  assert.equal(problemOf('GET', { authorization: 'bearer  s3cret' }, options), undefined);
  assert.equal(problemOf('GET', { 'x-control-token': 's3cret' }, options), undefined);
});

for (const headers of [
  {},
  { authorization: 'Bearer s3cre' },
  { authorization: 'Basic s3cret' },
  { authorization: 's3cret' },
  { 'x-control-token': 's3cret2' },
  { 'x-control-token': '' },
]) {
  test(`${JSON.stringify(headers)} is not the token`, () => {
    const refusal = createOriginGuard({ token: 's3cret' })({ method: 'GET', headers: { host: 'localhost', ...headers } });
    assert.equal(refusal?.reason, 'http.control-token-required');
    assert.deepEqual(refusal?.headers, { 'WWW-Authenticate': 'Bearer realm="control"' });
  });
}

test('a foreign page is refused whether or not it has the token', () => {
  assert.equal(problemOf('GET', { origin: 'null', 'x-control-token': 's3cret' }, { token: 's3cret' }), 'http.foreign-origin');
});

test('a page of an allowed origin passes its preflight and may use the control API; others do not', async () => {
  const controlToken = 'token-of-the-operator';
  const kit = await createKit({ port: 0, allowOrigin: ['HTTP://localhost:5173/'], controlToken });
  try {
    const send = (method: string, origin: string, headers: Record<string, string>) =>
      fetch(`${kit.url}/_control/clock/advance`, {
        method,
        headers: { origin, 'sec-fetch-site': 'cross-site', ...headers },
        ...(method === 'POST' && { body: '{"by":"1s"}' }),
      });
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type,x-control-token' };
    const preflight = await send('OPTIONS', 'http://localhost:5173', asked);
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), 'http://localhost:5173');
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /POST.*PATCH/);
    assert.equal(preflight.headers.get('access-control-allow-headers'), 'content-type,x-control-token');
    const json = { 'content-type': 'application/json' };
    for (const [headers, status] of [
      [{ ...json, 'x-control-token': controlToken }, 200],
      [json, 401],
    ] as const) {
      const response = await send('POST', 'http://localhost:5173', headers);
      assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [status, 'http://localhost:5173']);
      assert.match(response.headers.get('vary') ?? '', /Origin/);
    }
    for (const method of ['OPTIONS', 'POST']) {
      const response = await send(method, 'http://localhost:5174', { ...asked, ...json, 'x-control-token': controlToken });
      assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [403, null]);
    }
  } finally {
    await kit.close();
  }
});
