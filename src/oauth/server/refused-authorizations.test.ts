import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createKit, type Kit } from '../../kit.ts';
import { type Changes, createFlow } from '../../testing/oauth-flow.ts';

let kit: Kit;
let client: ReturnType<typeof createFlow>;
before(async () => {
  kit = await createKit({ port: 0 });
  client = createFlow(kit.authUrl);
});
after(() => kit.close());

describe('an authorization request is refused with a redirect that has an error, a description and the state', () => {
  const cases: readonly [title: string, changes: Changes, error: string, why: RegExp][] = [
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request', /PKCE/],
    ['without a code_challenge_method', { code_challenge_method: undefined }, 'invalid_request', /code_challenge_method/],
    ['with the code_challenge_method plain', { code_challenge_method: 'plain' }, 'invalid_request', /code_challenge_method/],
    ['with a code_challenge that is not a SHA-256', { code_challenge: 'a'.repeat(44) }, 'invalid_request', /43 characters/],
    ['without a login_hint', { login_hint: undefined }, 'invalid_request', /login_hint is missing/],
    ['with an empty login_hint', { login_hint: '' }, 'invalid_request', /login_hint is missing/],
    ['with a login_hint without a plus', { login_hint: '12065550100' }, 'invalid_request', /must be a phone number in E\.164/],
    ['with a login_hint with a plus that is not encoded', { login_hint: ' 12065550100' }, 'invalid_request', /as %2B/],
    ['with an unknown scope', { scope: 'users:manage openid' }, 'invalid_scope', /unknown/],
    ['without a scope', { scope: undefined }, 'invalid_scope', /scope is missing/],
    ['with another response_type', { response_type: 'code id_token' }, 'unsupported_response_type', /response_type/],
    ['for a principal that declines', { login_hint: '+12065550159' }, 'access_denied', /declines/],
    ['for a number without a principal', { login_hint: '+12065550999' }, 'access_denied', /No principal/],
    ['for a number that belongs to an account without principals', { login_hint: '+12065550190' }, 'access_denied', /No principal/],
  ];
  for (const [title, changes, error, why] of cases) {
    test(title, async () => {
      const { status, location, body, headers } = await client.authorize(changes);
      const { searchParams: answer } = location ?? assert.fail(body);
      assert.deepEqual([status, answer.get('error'), answer.get('state'), answer.get('code')], [303, error, 'state-1', null]);
      assert.match(answer.get('error_description') ?? '', why);
      assert.deepEqual([body, headers.get('access-control-allow-origin')], ['', null]);
    });
  }

  test('an authorization request is refused if the kit was started with --login deny', async () => {
    const denying = await createKit({ port: 0, login: 'deny' });
    const { location } = await createFlow(denying.authUrl)
      .authorize()
      .finally(() => denying.close());
    assert.equal(location?.searchParams.get('error'), 'access_denied');
  });
});

describe('an authorization request is refused without a redirect', () => {
  const cases: readonly [title: string, changes: Changes, error: string, why: RegExp][] = [
    ['with an unregistered redirect_uri', { redirect_uri: 'https://evil.example/' }, 'invalid_redirect_uri', /xpk state set clients/],
    [
      'with a different port from the registered redirect_uri',
      { redirect_uri: 'http://127.0.0.1:3009/callback' },
      'invalid_redirect_uri',
      /not registered/,
    ],
    ['without a redirect_uri', { redirect_uri: undefined }, 'invalid_request', /redirect_uri/],
    ['with an alias in place of the client_id', { client_id: 'acme-web' }, 'invalid_client', /client not found/],
    ['with a NUL in the client_id', { client_id: 'a\0b' }, 'invalid_client', /client not found/],
    ['without a client_id', { client_id: undefined }, 'invalid_request', /client_id/],
  ];
  for (const [title, changes, error, why] of cases) {
    test(title, async () => {
      const { status, location, body } = await client.authorize(changes);
      const answer = JSON.parse(body);
      assert.deepEqual([status, location, answer.error], [400, undefined, error]);
      assert.match(answer.error_description, why);
    });
  }

  test('an authorization request with a parameter that is sent twice is refused', async () => {
    const response = await fetch(`${client.authorizeUrl()}&redirect_uri=https%3A%2F%2Fevil.example`, { redirect: 'manual' });
    assert.deepEqual([response.status, response.headers.get('location')], [400, null]);
  });

  test('if an authorization request is refused, a browser gets an HTML page', async () => {
    const url = client.authorizeUrl({ redirect_uri: 'http://127.0.0.1:9/<b>' });
    const response = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
    const page = await response.text();
    assert.equal(response.status, 400);
    assert.match(page, /The redirect_uri is not registered for the client/);
    assert.doesNotMatch(page, /<b>/);
  });

  test('a HEAD request to the authorization endpoint is refused, because the response could not contain the code', async () => {
    const selectCodes = () => kit.store.db.selectFrom('oauth_artifacts').select('id').where('kind', '=', 'AuthorizationCode').execute();
    const before = (await selectCodes()).length;
    const response = await fetch(client.authorizeUrl(), { method: 'HEAD', redirect: 'manual' });
    assert.deepEqual([response.status, response.headers.get('allow'), response.headers.get('location')], [405, 'GET, OPTIONS', null]);
    assert.equal((await selectCodes()).length, before);
  });
});
