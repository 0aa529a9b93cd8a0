import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { createKit } from '../kit.ts';
import { createOriginGuard, type OriginGuardOptions } from './origin-guard.ts';

type Row = readonly [method: string, headers: IncomingHttpHeaders, options?: OriginGuardOptions];

const jsonHeaders = { 'content-type': 'application/json', 'content-length': '2' };
const token = 's3cret';
const allow = ['http://localhost:5173'];
const allowedOriginHeaders = { origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' };
const publicUrl = 'https://kit.example.com/';

const ALLOWED_REQUESTS: readonly Row[] = [
  ['GET', {}],
  ['POST', jsonHeaders],
  ['PUT', { ...jsonHeaders, 'content-type': 'Application/JSON ; charset=utf-8' }],
  ['DELETE', {}],
  ...['http://localhost:4010', 'https://localhost:4010', 'http://LOCALHOST:4010'].map((origin): Row => ['GET', { origin }]),
  ['GET', { host: 'localhost', origin: 'http://localhost:80' }],
  ['GET', { host: 'kit.localhost:443', origin: 'https://kit.localhost' }],
  ['GET', { origin: 'https://kit.example.com' }, { publicUrl }],
  ['GET', allowedOriginHeaders, { allow }],
  ['POST', { ...allowedOriginHeaders, ...jsonHeaders }, { allow }],
  ['GET', { 'sec-fetch-site': 'same-origin' }],
  ['GET', { 'sec-fetch-site': 'none' }],
  ['GET', { authorization: 'Bearer s3cret' }, { token }],
  ['GET', { authorization: 'bearer  s3cret' }, { token }],
  ['GET', { 'x-control-token': 's3cret' }, { token }],
];

const FOREIGN_ORIGINS = [
  'null',
  '',
  'http://localhost:4011',
  'http://localhost',
  'https://evil.example',
  'http://localhost:4010.evil.example',
  'file://',
];
const ORIGINS_NOT_IN_ALLOW = ['http://localhost:5174', 'https://localhost:5173', 'http://localhost:5173.evil.example', 'null'];
const NON_JSON_TYPES = ['text/plain', 'multipart/form-data; boundary=x', 'application/jsonp', 'text/plain; application/json', ''];
const REFUSED_REQUESTS: Readonly<Record<string, readonly Row[]>> = {
  'http.foreign-origin': [
    ...FOREIGN_ORIGINS.flatMap((origin): Row[] => [
      ['GET', { origin }],
      ['POST', { origin, ...jsonHeaders }],
    ]),
    ...ORIGINS_NOT_IN_ALLOW.map((origin): Row => ['GET', { ...allowedOriginHeaders, origin }, { allow }]),
    ['GET', { origin: 'http://kit.example.com' }, { publicUrl }],
    ...['same-site', 'cross-site', 'anything'].map((site): Row => ['GET', { 'sec-fetch-site': site }]),
    ['GET', { 'sec-fetch-site': 'cross-site' }, { allow }],
    // A foreign origin is refused even if the request has the control token.
    ['GET', { origin: 'null', 'x-control-token': token }, { token }],
  ],
  'http.unsupported-media-type': [
    ...NON_JSON_TYPES.flatMap((type) =>
      ['POST', 'PUT', 'PATCH', 'DELETE'].map((method): Row => [method, { 'content-type': type, 'content-length': '2' }]),
    ),
    ['POST', { ...allowedOriginHeaders, 'content-type': 'text/plain' }, { allow }],
    // For a POST that has no content type, browsers skip the preflight request.
    ['POST', { 'content-length': '0' }],
    ['DELETE', { 'transfer-encoding': 'chunked' }],
  ],
  'http.control-token-required': [
    ['GET', {}, { token }],
    ['GET', allowedOriginHeaders, { allow, token }],
    ...['Bearer s3cre', 'Basic s3cret', 's3cret'].map((authorization): Row => ['GET', { authorization }, { token }]),
    ...['s3cret2', ''].map((sent): Row => ['GET', { 'x-control-token': sent }, { token }]),
  ],
};

const checkRow = ([method, headers, options]: Row) =>
  createOriginGuard(options)({ method, headers: { host: 'localhost:4010', ...headers } });

for (const row of ALLOWED_REQUESTS) test(`allowed: ${JSON.stringify(row)}`, () => assert.equal(checkRow(row), undefined));

for (const [gate, rows] of Object.entries(REFUSED_REQUESTS))
  for (const row of rows) test(`${gate}: ${JSON.stringify(row)}`, () => assert.equal(checkRow(row)?.reason, gate));

test('the refusal of a foreign origin names --allow-origin, and the refusal of a request without a token names the scheme Bearer', () => {
  assert.match(checkRow(['GET', { origin: 'http://localhost:5173' }])?.detail ?? '', /--allow-origin http:\/\/localhost:5173 /);
  assert.doesNotMatch(checkRow(['GET', { origin: 'null' }])?.detail ?? '', /--allow-origin/);
  assert.deepEqual(checkRow(['GET', {}, { token }])?.headers, { 'WWW-Authenticate': 'Bearer realm="control"' });
});

test('a page from an allowed origin may use the control API, and pages from other origins may not', async () => {
  const controlToken = 'token-of-the-operator';
  const kit = await createKit({ port: 0, allowOrigin: ['HTTP://localhost:5173/'], controlToken });
  try {
    const send = (method: string, origin: string, headers: Record<string, string>) =>
      fetch(`${kit.url}/_control/clock/advance`, {
        method,
        headers: { origin, 'sec-fetch-site': 'cross-site', 'content-type': 'application/json', ...headers },
        ...(method === 'POST' && { body: '{"by":"1s"}' }),
      });
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type,x-control-token' };
    const preflight = await send('OPTIONS', 'http://localhost:5173', asked);
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), 'http://localhost:5173');
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /POST.*PATCH/);
    assert.equal(preflight.headers.get('access-control-allow-headers'), 'content-type,x-control-token');
    for (const [method, origin, headers, status] of [
      ['POST', 'http://localhost:5173', { 'x-control-token': controlToken }, 200],
      ['POST', 'http://localhost:5173', {}, 401],
      ['POST', 'http://localhost:5174', { 'x-control-token': controlToken }, 403],
      ['OPTIONS', 'http://localhost:5174', asked, 403],
    ] as const) {
      const response = await send(method, origin, headers);
      assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [status, status === 403 ? null : origin]);
    }
  } finally {
    await kit.close();
  }
});
