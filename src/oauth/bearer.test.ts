import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFailure } from '../contract/failure.ts';
import { readBearer } from './bearer.ts';
import type { TokenRule } from './rejected-token.ts';

const header = (...values: string[]) => ({ rawHeaders: ['Host', 'x', ...values.flatMap((value) => ['Authorization', value])] });

function refused(request: Parameters<typeof readBearer>[0], rule: TokenRule, why: RegExp): void {
  const result = readBearer(request);
  assert.ok(isFailure(result));
  assert.equal(result.reason, rule);
  assert.match(result.detail, why);
  assert.doesNotMatch(result.detail, /SECRET/);
}

test('the token follows the scheme Bearer, in whatever letter case', () => {
  for (const value of ['Bearer a.b-c_~+/==', 'bearer a.b-c_~+/==', 'BEARER   a.b-c_~+/==', ' Bearer a.b-c_~+/== ']) {
    assert.deepEqual(readBearer(header(value)), { token: 'a.b-c_~+/==' });
  }
});

test('the name of the header has no letter case', () => {
  for (const name of ['authorization', 'AUTHORIZATION'])
    assert.deepEqual(readBearer({ rawHeaders: [name, 'Bearer abc'] }), { token: 'abc' });
});

test('no header, no token', () => {
  refused(header(), 'auth.token.missing', /no Authorization header\.$/);
  refused({ rawHeaders: ['Authorization-X', 'Bearer abc'] }, 'auth.token.missing', /no Authorization header/);
});

test('a token in a query parameter is not accepted', () => {
  for (const url of ['/users?access_token=SECRET', '/users?a=b&access_token=SECRET']) {
    refused({ ...header(), url }, 'auth.token.missing', /query parameter access_token is not accepted/);
  }
  refused({ ...header(), url: '/users?my_access_token=SECRET' }, 'auth.token.missing', /no Authorization header\.$/);
});

test('a header without a bearer token is as good as none', () => {
  refused(header(''), 'auth.token.missing', /is empty/);
  refused(header('Bearer'), 'auth.token.missing', /no access token follows/);
  refused(header('Bearer '), 'auth.token.missing', /no access token follows/);
  refused(header('Basic SECRET'), 'auth.token.missing', /another scheme than Bearer/);
  refused(header('BearerSECRET'), 'auth.token.missing', /another scheme than Bearer/);
  refused(header('eyJ.SECRET.x'), 'auth.token.missing', /has no scheme/);
});

test('a bearer header of another form is invalid', () => {
  refused(header('Bearer SECRET SECRET'), 'auth.token.invalid', /Something follows/);
  refused(header('Bearer SECRET, Bearer SECRET'), 'auth.token.invalid', /Something follows/);
  for (const value of ['"SECRET"', 'SECRET,', '=SECRET', 'SECRET=a', 'SECRÉT', '<SECRET>']) {
    refused(header(`Bearer ${value}`), 'auth.token.invalid', /characters that a bearer token cannot have/);
  }
});

test('two headers are refused, even when they agree', () => {
  refused(header('Bearer SECRET', 'Bearer SECRET'), 'auth.token.invalid', /2 Authorization headers/);
  refused(
    { rawHeaders: ['authorization', 'Bearer SECRET', 'AUTHORIZATION', 'Basic SECRET'] },
    'auth.token.invalid',
    /2 Authorization headers/,
  );
});
