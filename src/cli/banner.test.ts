import assert from 'node:assert/strict';
import { test } from 'node:test';
import { banner } from './banner.ts';

const facts = {
  url: 'http://127.0.0.1:4010',
  authUrl: 'http://127.0.0.1:4010/auth',
  login: 'page',
  clients: [
    { alias: 'acme-web', id: 'id-of-web', shows: 'client_secret' },
    { alias: 'acme-signer', id: 'id-of-signer', shows: 'client_assertion' },
  ],
  tokens: {},
  control: true,
  number: undefined,
} as const;

test('the banner says where the authorization server is, who answers, and clients to try it with', () => {
  const text = banner(facts);
  assert.match(text, /^ {2}authorization {2}http:\/\/127\.0\.0\.1:4010\/auth {3}logins: at a page, in the browser$/m);
  assert.match(text, /^ {2}client_id {6}id-of-web {2}acme-web, with a client_secret$/m);
  assert.match(text, /^ {2}client_id {6}id-of-signer {2}acme-signer, with a client_assertion$/m);
  assert.match(banner({ ...facts, login: 'auto' }), /as the fixtures say/);
});

test('a world without clients or tokens has a banner without them', () => {
  assert.doesNotMatch(banner({ ...facts, clients: [] }), /client_id|token/);
});
