import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFailure } from '../contract/failure.ts';
import { readBearer, type TokenRule } from './bearer.ts';

const readFrom = (...headers: string[]) => readBearer({ rawHeaders: ['Host', 'x', ...headers] });

test('readBearer ignores the letter case of the header name and the Bearer scheme', () => {
  for (const value of ['Bearer a.b-c_~+/==', 'bearer a.b-c_~+/==', 'BEARER   a.b-c_~+/==', ' Bearer a.b-c_~+/== '])
    assert.deepEqual(readFrom('Authorization', value), { token: 'a.b-c_~+/==' });
  for (const name of ['authorization', 'AUTHORIZATION']) assert.deepEqual(readFrom(name, 'Bearer abc'), { token: 'abc' });
});

const REFUSED_HEADERS: readonly [title: string, rule: TokenRule, detail: RegExp, ...headers: (readonly string[])[]][] = [
  ['no Authorization header', 'auth.token.missing', /no Authorization header/, [], ['Authorization-X', 'Bearer SECRET']],
  [
    'a scheme other than Bearer, no scheme or no token',
    'auth.token.missing',
    /must be "Bearer"/,
    ...['', 'Bearer', 'Bearer ', 'Basic SECRET', 'BearerSECRET', 'eyJ.SECRET.x'].map((value) => ['Authorization', value]),
  ],
  [
    'characters that b64token does not allow',
    'auth.token.invalid',
    /characters that a bearer token cannot have/,
    ...['SECRET SECRET', 'SECRET, Bearer SECRET', '"SECRET"', '=SECRET', 'SECRET=a', 'SECRÉT'].map((value) => [
      'Authorization',
      `Bearer ${value}`,
    ]),
  ],
  [
    'two Authorization headers',
    'auth.token.invalid',
    /2 Authorization headers/,
    ['Authorization', 'Bearer SECRET', 'Authorization', 'Bearer SECRET'],
    ['authorization', 'Bearer SECRET', 'AUTHORIZATION', 'Basic SECRET'],
  ],
];
for (const [title, rule, detail, ...requests] of REFUSED_HEADERS) {
  test(`a request with ${title} is refused, and the detail does not contain the token`, () => {
    for (const headers of requests) {
      const result = readFrom(...headers);
      assert.ok(isFailure(result));
      assert.equal(result.reason, rule);
      assert.match(result.detail, detail);
      assert.doesNotMatch(result.detail, /SECRET/);
    }
  });
}
