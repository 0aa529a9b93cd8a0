import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createKit, type Kit } from '../../kit.ts';
import { type Changes, flow, REDIRECT_URI } from './testing/flow.ts';

let kit: Kit;
let client: ReturnType<typeof flow>;
before(async () => {
  kit = await createKit({ port: 0 });
  client = flow(kit.authUrl);
});
after(() => kit.close());

describe('an authorization request is refused by a redirect with error, description and state', () => {
  const cases: readonly [title: string, changes: Changes, error: string, why: RegExp][] = [
    [
      'a request without PKCE is refused',
      { code_challenge: undefined, code_challenge_method: undefined },
      'invalid_request',
      /PKCE is required/,
    ],
    ['a code_challenge without its method is refused', { code_challenge_method: undefined }, 'invalid_request', /must be S256/],
    [
      'a code_challenge_method without a challenge is refused',
      { code_challenge: undefined },
      'invalid_request',
      /code_challenge is missing/,
    ],
    ['the code_challenge_method plain is refused', { code_challenge_method: 'plain' }, 'invalid_request', /must be S256/],
    ['a code_challenge that is not a SHA-256 is refused', { code_challenge: 'a'.repeat(44) }, 'invalid_request', /43 characters/],
    ['a missing login_hint is refused', { login_hint: undefined }, 'invalid_request', /login_hint is missing/],
    ['an empty login_hint is refused', { login_hint: '' }, 'invalid_request', /login_hint is missing/],
    ['a login_hint without a plus is refused', { login_hint: '12065550100' }, 'invalid_request', /must be a phone number in E\.164/],
    ['a login_hint with an unencoded plus is refused with an explanation', { login_hint: ' 12065550100' }, 'invalid_request', /as %2B/],
    ['a login_hint with letters is refused', { login_hint: '+1206555CALL' }, 'invalid_request', /must be a phone number in E\.164/],
    ['an unknown scope is refused', { scope: 'users:manage openid' }, 'invalid_scope', /unknown/],
    ['a missing scope is refused', { scope: undefined }, 'invalid_scope', /scope is missing/],
    ['a response_type other than code is refused', { response_type: 'code id_token' }, 'unsupported_response_type', /must be code/],
    ['a principal that declines is respected', { login_hint: '+12065550159' }, 'access_denied', /declines/],
    ['a number without a principal is refused', { login_hint: '+12065550999' }, 'access_denied', /No principal/],
    ['a number of an account without principals is refused', { login_hint: '+12065550190' }, 'access_denied', /No principal/],
  ];
  for (const [title, changes, error, why] of cases) {
    test(title, async () => {
      const { status, location, body, headers } = await client.authorize(changes);
      assert.equal(status, 303);
      const answer = location?.searchParams ?? assert.fail(body);
      assert.equal(answer.get('error'), error);
      assert.match(answer.get('error_description') ?? '', why);
      assert.equal(answer.get('state'), 'state-1');
      assert.equal(answer.get('code'), null);
      assert.equal(body, '');
      assert.equal(headers.get('access-control-allow-origin'), null);
    });
  }
});

describe('an authorization request is refused without a redirect', () => {
  const cases: readonly [title: string, changes: Changes, status: number, error: string, why: RegExp][] = [
    ['an unregistered redirect_uri', { redirect_uri: 'https://evil.example/' }, 400, 'invalid_redirect_uri', /not registered/],
    [
      'a redirect_uri that only begins like a registered one',
      { redirect_uri: 'http://127.0.0.1:3000/callback/x' },
      400,
      'invalid_redirect_uri',
      /not registered/,
    ],
    [
      'another port of a registered redirect_uri',
      { redirect_uri: 'http://127.0.0.1:3009/callback' },
      400,
      'invalid_redirect_uri',
      /not registered/,
    ],
    ['a missing redirect_uri', { redirect_uri: undefined }, 400, 'invalid_request', /redirect_uri/],
    ['an unknown client_id', { client_id: 'nobody' }, 400, 'invalid_client', /no client with this client_id/],
    ['an alias in place of the client_id', { client_id: 'acme-web' }, 400, 'invalid_client', /no client with this client_id/],
    ['a client_id with a NUL', { client_id: 'a\0b' }, 400, 'invalid_client', /no client with this client_id/],
    ['a missing client_id', { client_id: undefined }, 400, 'invalid_request', /client_id/],
  ];
  for (const [title, changes, status, error, why] of cases) {
    test(title, async () => {
      const answer = await client.authorize(changes);
      assert.deepEqual([answer.status, answer.location], [status, undefined]);
      const body = JSON.parse(answer.body);
      assert.equal(body.error, error);
      assert.match(body.error_description, why);
    });
  }

  test('the refusal of an unknown redirect_uri has a command that registers it', async () => {
    const redirect_uri = 'http://127.0.0.1:9000/callback?a=1&b=2';
    const { body } = await client.authorize({ redirect_uri });
    const [, command = assert.fail(body)] = / run: (xpk .*)$/.exec(JSON.parse(body).error_description) ?? [];
    const node = `'${process.execPath}' --import tsx src/cli/main.ts`;
    await promisify(execFile)('sh', ['-c', command.replace(/^xpk/, node)]);
    for (const registered of [redirect_uri, REDIRECT_URI]) {
      assert.equal((await client.authorize({ redirect_uri: registered })).location?.searchParams.has('code'), true);
    }
  });

  test('the page of an unknown redirect_uri shows the command on a line of its own', async () => {
    const url = client.authorizeUrl({ redirect_uri: 'http://[::1]:9000/callback?a=1&b=2' });
    const page = await (await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } })).text();
    const [, command] = /<code class="command">(.*)<\/code>/.exec(page) ?? assert.fail(page);
    assert.match(
      command ?? '',
      /^xpk state set clients acme-web &#39;redirectUris\+=http:\/\/\[::1\]:9000\/callback\?a=1&amp;b=2&#39; --url /,
    );
  });

  test('no command for an unknown redirect_uri that cannot be registered or needs escaping in a shell', async () => {
    const refused = ['javascript:alert(1)', 'com.example.app:/callback', 'http:callback', 'https://', 'http://127.0.0.1:99999/callback'];
    const odd = ['#top', '%zz', '<b>', "';id;'", '\\', 'a b'].map((rest) => `http://127.0.0.1:9000/${rest}`);
    for (const redirect_uri of [...refused, ...odd]) {
      const { body } = await client.authorize({ redirect_uri });
      assert.equal(JSON.parse(body).error_description, 'The redirect_uri is not registered for the client.', redirect_uri);
    }
  });

  test('no command for an unknown redirect_uri if the control API is disabled', async () => {
    const closed = await createKit({ port: 0, control: false });
    try {
      const { body } = await flow(closed.authUrl).authorize({ redirect_uri: 'http://127.0.0.1:9000/callback' });
      assert.equal(JSON.parse(body).error_description, 'The redirect_uri is not registered for the client.');
    } finally {
      await closed.close();
    }
  });

  test('a repeated parameter', async () => {
    const response = await fetch(`${client.authorizeUrl()}&redirect_uri=https%3A%2F%2Fevil.example`, { redirect: 'manual' });
    assert.deepEqual([response.status, response.headers.get('location')], [400, null]);
  });

  test('browsers get a page instead of JSON', async () => {
    const response = await fetch(client.authorizeUrl({ client_id: '<b>nobody</b>' }), {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });
    const page = await response.text();
    assert.equal(response.status, 400);
    assert.match(page, /There is no client with this client_id/);
    assert.doesNotMatch(page, /<b>nobody/);
  });

  test('HEAD on authorize is refused, because it would issue a code without returning it', async () => {
    const response = await fetch(client.authorizeUrl(), { method: 'HEAD', redirect: 'manual' });
    assert.deepEqual([response.status, response.headers.get('allow'), response.headers.get('location')], [405, 'GET, OPTIONS', null]);
    const codes = await kit.store.db.selectFrom('oauth_artifacts').select('id').where('kind', '=', 'AuthorizationCode').execute();
    const before = codes.length;
    await fetch(client.authorizeUrl(), { method: 'HEAD', redirect: 'manual' });
    const after = await kit.store.db.selectFrom('oauth_artifacts').select('id').where('kind', '=', 'AuthorizationCode').execute();
    assert.equal(after.length, before);
  });
});
