import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutSecretHeaders, withoutSecretPairs, withoutSecretsInBody, withoutSecretsInTarget } from './secrets.ts';

const CANARY = 'canary-6f1d';

/** Name-value pairs of a query or a form that contain a secret. */
const pairs = [
  `client_secret=${CANARY}`,
  `client_assertion=${CANARY}`,
  `code=${CANARY}`,
  `code_verifier=${CANARY}`,
  `refresh_token=${CANARY}`,
  `login_hint=${CANARY}`,
  `access_token=${CANARY}`,
  `api_key=${CANARY}`,
  `apiKey=${CANARY}`,
  `api-key=${CANARY}`,
  `Client_Secret=${CANARY}`,
  `client%5Fsecret=${CANARY}`,
  `%63ode=${CANARY}`,
  `client_secret[]=${CANARY}`,
  ` code=${CANARY}`,
  `a;client_secret=${CANARY}`,
  `a%ZZ=${CANARY}`,
  `redirect_uri=https%3A%2F%2Fclient.example%2Fcb%3Fcode%3D${CANARY}`,
  `next=/cb?code=${CANARY}`,
  `{"client_secret":"${CANARY}"}`,
  `{"a":"b=c","client_secret":"${CANARY}"}`,
  `code=x=${CANARY}`,
];
test('secrets in a query or form are replaced, and parameters without secrets are unchanged', () => {
  for (const pair of pairs) {
    const kept = withoutSecretPairs(`grant_type=refresh_token&${pair}&scope=users%3Amanage`);
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
    assert.equal(withoutSecretsInTarget(target), target);
  }
});

/** Bodies with a secret. `careful` is the parameter of withoutSecretsInBody, which is true for bodies of the authorization server. */
const bodies: readonly (readonly [text: string, careful: boolean])[] = [
  [`{"client_secret":"${CANARY}","a":1}`, false],
  [`{"api_key":"${CANARY}"}`, false],
  [`{"deep":[{"refreshToken":"${CANARY}"}]}`, false],
  [`{"client\\u005fsecret":"${CANARY}"}`, false],
  [`{"code":{"value":"${CANARY}"}}`, false],
  [`{"client_secret":"${CANARY}`, false],
  [`------x\r\nContent-Disposition: form-data; name="client_secret"\r\n\r\n${CANARY}\r\n`, false],
  [Buffer.from(`{"client_secret":"${CANARY}"}`, 'utf16le').toString(), false],
  [`c%6Fde=${CANARY}`, true],
  [`<input value="${CANARY}">`, true],
  [`{"access_token":"${CANARY}","refresh_token":"${CANARY}","expires_in":60}`, true],
];
test('secrets in a body are replaced', () => {
  for (const [text, careful] of bodies)
    assert.doesNotMatch(withoutSecretsInBody(text, 'any', careful).replaceAll('\0', ''), /canary/, text);
});

test('a body without secrets is unchanged, even if it is not JSON', () => {
  for (const text of ['{ "a": 1.0 }', '{"a": ', 'nonsense', '']) assert.equal(withoutSecretsInBody(text, 'any', false), text);
  assert.equal(withoutSecretsInBody('{"error":"invalid_grant"}', 'any', true), '{"error":"invalid_grant"}');
});

test('credentials in headers are replaced, except for the authentication scheme', () => {
  const shown = withoutSecretHeaders({
    authorization: `Bearer ${CANARY}`,
    'proxy-authorization': CANARY,
    cookie: `a=${CANARY}`,
    'x-control-token': CANARY,
    'x-api-key': CANARY,
    referer: `http://127.0.0.1/cb?code=${CANARY}&state=s`,
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
