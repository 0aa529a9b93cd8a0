import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokensSent, withoutSecrets } from './secrets.ts';

test('secrets are hidden in every string of a value, longer secrets first', () => {
  const value = { message: 'GET /a?token=secret-1-long', list: [{ text: 'secret-1' }], count: 3, none: null };
  assert.deepEqual(withoutSecrets(value, ['secret-1', 'secret-1-long']), {
    message: 'GET /a?token=…',
    list: [{ text: '…' }],
    count: 3,
    none: null,
  });
});

test('a JSON Web Token is hidden although it was not declared as a secret', () => {
  assert.equal(withoutSecrets('sent eyJhbGciOiJub25l.eyJzdWIiOjF9.c2ln, refused', []), 'sent …, refused');
});

test('the beginning of a secret is hidden at the end of a string that was cut off', () => {
  assert.equal(withoutSecrets('answered: your key is opaque-sec', ['opaque-secret-1']), 'answered: your key is …');
  assert.equal(withoutSecrets('answered: eyJhbGciOiJFZERTQSIsInR5', []), 'answered: …');
});

test('secrets of less than six characters are not hidden', () => {
  assert.equal(withoutSecrets('an ordinary text', ['an', '']), 'an ordinary text');
});

test('the token of an Authorization header is found in any letter case and scheme', () => {
  assert.deepEqual(tokensSent({ Authorization: 'bearer abc', accept: 'x' }), ['abc']);
});
