import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hideSecrets, listSentTokens } from './secrets.ts';

test('secrets are hidden in all strings of a value, and longer secrets are replaced first', () => {
  const value = { message: 'GET /a?token=secret-1-long', list: [{ text: 'secret-1' }], count: 3, none: null };
  assert.deepEqual(hideSecrets(value, ['secret-1', 'secret-1-long']), {
    message: 'GET /a?token=…',
    list: [{ text: '…' }],
    count: 3,
    none: null,
  });
});

test('a JSON Web Token is hidden even if it is not in the list of secrets', () => {
  assert.equal(hideSecrets('sent eyJhbGciOiJub25l.eyJzdWIiOjF9.c2ln, refused', []), 'sent …, refused');
});

test('a secret that is cut off at the end of a string is also hidden', () => {
  assert.equal(hideSecrets('answered: your key is opaque-sec', ['opaque-secret-1']), 'answered: your key is …');
  assert.equal(hideSecrets('answered: eyJhbGciOiJFZERTQSIsInR5', []), 'answered: …');
});

test('secrets with fewer than six characters are not hidden', () => {
  assert.equal(hideSecrets('an ordinary text', ['an', '']), 'an ordinary text');
});

test('listSentTokens accepts the header name Authorization in any letter case, and any authentication scheme', () => {
  assert.deepEqual(listSentTokens({ Authorization: 'bearer abc', accept: 'x' }), ['abc']);
});
