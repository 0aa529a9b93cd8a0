import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { createOriginGuard, type OriginGuardOptions } from './origin-guard.ts';

const JSON_BODY = { 'content-type': 'application/json', 'content-length': '2' };

function problemOf(method: string, headers: IncomingHttpHeaders, options: OriginGuardOptions = {}) {
  return createOriginGuard(options)({ method, headers: { host: 'localhost:4010', ...headers } })?.problem;
}

test('a request without browser headers may read and, with JSON, change', () => {
  assert.equal(problemOf('GET', {}), undefined);
  assert.equal(problemOf('POST', JSON_BODY), undefined);
});

for (const origin of ['http://localhost:4010', 'https://localhost:4010', 'http://LOCALHOST:4010']) {
  test(`the origin ${origin} is our own`, () => assert.equal(problemOf('GET', { origin }), undefined));
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
  test(`the origin ${JSON.stringify(origin)} is foreign, for reads too`, () => {
    assert.equal(problemOf('GET', { origin }), 'http.foreign-origin');
    assert.equal(problemOf('POST', { origin, ...JSON_BODY }), 'http.foreign-origin');
  });
}

test('an origin named as ours is ours', () => {
  const options = { origins: ['https://kit.example.com/'] };
  assert.equal(problemOf('GET', { origin: 'https://kit.example.com' }, options), undefined);
  assert.equal(problemOf('GET', { origin: 'http://kit.example.com' }, options), 'http.foreign-origin');
});

for (const [site, expected] of [
  ['same-origin', undefined],
  ['none', undefined],
  ['same-site', 'http.foreign-origin'],
  ['cross-site', 'http.foreign-origin'],
  ['anything', 'http.foreign-origin'],
] as const) {
  test(`Sec-Fetch-Site: ${site} is ${expected === undefined ? 'let through' : 'refused'}`, () => {
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

test('a POST without body needs the content type too: a page could send it without preflight', () => {
  assert.equal(problemOf('POST', { 'content-length': '0' }), 'http.unsupported-media-type');
});

test('a DELETE without body needs no content type, one with a body does', () => {
  assert.equal(problemOf('DELETE', {}), undefined);
  assert.equal(problemOf('DELETE', { 'transfer-encoding': 'chunked' }), 'http.unsupported-media-type');
});

test('the token is taken from either header', () => {
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
    assert.equal(refusal?.problem, 'http.control-token-required');
    assert.deepEqual(refusal?.headers, { 'WWW-Authenticate': 'Bearer realm="control"' });
  });
}

test('a foreign page is refused whether or not it has the token', () => {
  assert.equal(problemOf('GET', { origin: 'null', 'x-control-token': 's3cret' }, { token: 's3cret' }), 'http.foreign-origin');
});
