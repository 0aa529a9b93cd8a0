import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../src/expect/answer.ts';
import { createAnswer } from '../target/testing/answer.ts';
import { removeOAuthSecrets } from './oauth-parameters.ts';

const serializeWithoutSecrets = (members: Partial<Answer>) => {
  const { json: _, ...rest } = removeOAuthSecrets(createAnswer(members));
  return JSON.stringify(rest);
};

test('removeOAuthSecrets removes plain and percent-encoded secrets from a token request', () => {
  const requestBody =
    'grant_type=authorization_code&code=the-code-1&client_secret=a%20secret%2F1&code_verifier=verifier-1&client_assertion=assertion-1';
  const text = serializeWithoutSecrets({ requestBody, text: 'I do not know a secret/1.' });
  for (const secret of ['the-code-1', 'secret%2F1', 'secret/1', 'verifier-1', 'assertion-1'])
    assert.ok(!text.includes(secret), `${secret} in ${text}`);
  assert.ok(text.includes('grant_type=authorization_code'));
});

test('removeOAuthSecrets removes tokens from the response text, but not from the parsed JSON', () => {
  const json = { access_token: 'opaque-access', refresh_token: 'opaque-refresh', expires_in: 3600 };
  const given = removeOAuthSecrets(createAnswer({ json }));
  assert.equal(given.text, '{"access_token":"…","refresh_token":"…","expires_in":3600}');
  assert.deepEqual(given.json, json);
});

test('removeOAuthSecrets removes passwords, session cookies and the code in a redirect', () => {
  const text = serializeWithoutSecrets({
    status: 302,
    url: 'https://auth.test/authorize',
    requestHeaders: { authorization: 'Basic Y2xpZW50OnNlY3JldA==', cookie: 'session=secret-session' },
    headers: { location: 'http://127.0.0.1:3000/callback?code=the-code-1&state=s', 'set-cookie': 'session=other-session; Path=/' },
  });
  for (const secret of ['the-code-1', 'Y2xpZW50', 'secret-session', 'other-session'])
    assert.ok(!text.includes(secret), `${secret} in ${text}`);
  assert.ok(text.includes('state=s'));
});
