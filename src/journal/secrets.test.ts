import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactBody, redactHeaders, redactPairs, redactTarget } from './secrets.ts';

const SECRET_VALUE = 'canary-6f1d';

const pairs = [
  `client_secret=${SECRET_VALUE}`,
  `client_assertion=${SECRET_VALUE}`,
  `code=${SECRET_VALUE}`,
  `code_verifier=${SECRET_VALUE}`,
  `refresh_token=${SECRET_VALUE}`,
  `login_hint=${SECRET_VALUE}`,
  `access_token=${SECRET_VALUE}`,
  `api_key=${SECRET_VALUE}`,
  `apiKey=${SECRET_VALUE}`,
  `api-key=${SECRET_VALUE}`,
  `Client_Secret=${SECRET_VALUE}`,
  `client%5Fsecret=${SECRET_VALUE}`,
  `%63ode=${SECRET_VALUE}`,
  `client_secret[]=${SECRET_VALUE}`,
  ` code=${SECRET_VALUE}`,
  `a;client_secret=${SECRET_VALUE}`,
  `a%ZZ=${SECRET_VALUE}`,
  `redirect_uri=https%3A%2F%2Fclient.example%2Fcb%3Fcode%3D${SECRET_VALUE}`,
  `next=/cb?code=${SECRET_VALUE}`,
  `{"client_secret":"${SECRET_VALUE}"}`,
  `{"a":"b=c","client_secret":"${SECRET_VALUE}"}`,
  `code=x=${SECRET_VALUE}`,
];
test('secrets in a query or form are replaced, and other parameters are unchanged', () => {
  for (const pair of pairs) {
    const kept = redactPairs(`grant_type=refresh_token&${pair}&scope=users%3Amanage`);
    assert.doesNotMatch(kept, /canary/);
    assert.match(kept, /^grant_type=refresh_token&.*\[redacted\].*&scope=users%3Amanage$/);
  }
});

test('a query without secrets is unchanged', () => {
  for (const target of [
    '/a',
    '/a?',
    '/a?b&c=%2B1&d=+',
    '/a?targetType=USER&targetValue=%2B12065550100&cursor=e30%3D',
    '/a?response_type=code',
  ]) {
    assert.equal(redactTarget(target), target);
  }
});

const bodies: readonly (readonly [text: string, isSecretLikely: boolean])[] = [
  [`{"client_secret":"${SECRET_VALUE}","a":1}`, false],
  [`{"api_key":"${SECRET_VALUE}"}`, false],
  [`{"deep":[{"refreshToken":"${SECRET_VALUE}"}]}`, false],
  [`{"client\\u005fsecret":"${SECRET_VALUE}"}`, false],
  [`{"code":{"value":"${SECRET_VALUE}"}}`, false],
  [`{"client_secret":"${SECRET_VALUE}`, false],
  [`------x\r\nContent-Disposition: form-data; name="client_secret"\r\n\r\n${SECRET_VALUE}\r\n`, false],
  [Buffer.from(`{"client_secret":"${SECRET_VALUE}"}`, 'utf16le').toString(), false],
  [`c%6Fde=${SECRET_VALUE}`, true],
  [`<input value="${SECRET_VALUE}">`, true],
  [`{"access_token":"${SECRET_VALUE}","refresh_token":"${SECRET_VALUE}","expires_in":60}`, true],
];
test('secrets in a body are replaced', () => {
  for (const [text, isSecretLikely] of bodies)
    assert.doesNotMatch(redactBody(text, 'any', isSecretLikely).replaceAll('\0', ''), /canary/, text);
});

test('a body without secrets is unchanged, whether or not it is JSON', () => {
  for (const text of ['{ "a": 1.0 }', '{"a": ', 'nonsense', '']) assert.equal(redactBody(text, 'any', false), text);
  assert.equal(redactBody('{"error":"invalid_grant"}', 'any', true), '{"error":"invalid_grant"}');
});

test('credentials in headers are replaced, but the authentication scheme remains', () => {
  const shown = redactHeaders({
    authorization: `Bearer ${SECRET_VALUE}`,
    'proxy-authorization': SECRET_VALUE,
    cookie: `a=${SECRET_VALUE}`,
    'x-control-token': SECRET_VALUE,
    'x-api-key': SECRET_VALUE,
    referer: `http://127.0.0.1/cb?code=${SECRET_VALUE}&state=s`,
    accept: 'application/json',
  });
  assert.deepEqual(shown, {
    authorization: 'Bearer [redacted]',
    'proxy-authorization': '[redacted]',
    cookie: '[redacted]',
    'x-control-token': '[redacted]',
    'x-api-key': '[redacted]',
    referer: 'http://127.0.0.1/cb?code=[redacted]&state=s',
    accept: 'application/json',
  });
});
