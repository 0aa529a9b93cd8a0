import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFailure } from '../contract/failure.ts';
import { readBearer, type TokenRule } from './bearer.ts';

type Request = Parameters<typeof readBearer>[0];
const header = (...values: string[]): Request => ({ rawHeaders: ['Host', 'x', ...values.flatMap((value) => ['Authorization', value])] });

test('the token follows the scheme Bearer; the scheme and the name of the header are case-insensitive', () => {
  for (const value of ['Bearer a.b-c_~+/==', 'bearer a.b-c_~+/==', 'BEARER   a.b-c_~+/==', ' Bearer a.b-c_~+/== ']) {
    assert.deepEqual(readBearer(header(value)), { token: 'a.b-c_~+/==' });
  }
  for (const name of ['authorization', 'AUTHORIZATION'])
    assert.deepEqual(readBearer({ rawHeaders: [name, 'Bearer abc'] }), { token: 'abc' });
});

const refusals: readonly [title: string, rule: TokenRule, detail: RegExp, requests: readonly Request[]][] = [
  [
    'without an Authorization header',
    'auth.token.missing',
    /no Authorization header\.$/,
    [header(), { rawHeaders: ['Authorization-X', 'Bearer abc'] }],
  ],
  [
    'with the token in the query',
    'auth.token.missing',
    /query parameter access_token is not accepted/,
    ['/users?access_token=SECRET', '/users?a=b&access_token=SECRET'].map((url) => ({ ...header(), url })),
  ],
  [
    'with a similar query parameter',
    'auth.token.missing',
    /no Authorization header\.$/,
    [{ ...header(), url: '/users?my_access_token=SECRET' }],
  ],
  ['with an empty header', 'auth.token.missing', /is empty/, [header('')]],
  ['with a scheme and no token', 'auth.token.missing', /no access token follows/, [header('Bearer'), header('Bearer ')]],
  ['with another scheme', 'auth.token.missing', /must be Bearer/, [header('Basic SECRET'), header('BearerSECRET')]],
  ['with a token and no scheme', 'auth.token.missing', /has no scheme/, [header('eyJ.SECRET.x')]],
  [
    'with more than a token',
    'auth.token.invalid',
    /Something follows/,
    [header('Bearer SECRET SECRET'), header('Bearer SECRET, Bearer SECRET')],
  ],
  [
    'with characters outside b64token',
    'auth.token.invalid',
    /characters that a bearer token cannot have/,
    ['"SECRET"', 'SECRET,', '=SECRET', 'SECRET=a', 'SECRÉT', '<SECRET>'].map((value) => header(`Bearer ${value}`)),
  ],
  [
    'with two headers, equal or not',
    'auth.token.invalid',
    /2 Authorization headers/,
    [header('Bearer SECRET', 'Bearer SECRET'), { rawHeaders: ['authorization', 'Bearer SECRET', 'AUTHORIZATION', 'Basic SECRET'] }],
  ],
];
for (const [title, rule, detail, requests] of refusals) {
  test(`a request ${title} is refused, and the detail does not repeat the token`, () => {
    for (const request of requests) {
      const result = readBearer(request);
      assert.ok(isFailure(result));
      assert.equal(result.reason, rule);
      assert.match(result.detail, detail);
      assert.doesNotMatch(result.detail, /SECRET/);
    }
  });
}
