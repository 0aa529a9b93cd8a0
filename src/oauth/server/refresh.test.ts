import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { callControl } from '../../control/testing/call.ts';
import { createKit, type Kit } from '../../kit.ts';
import { ALL_SCOPES, createFlow, readUser } from '../../testing/oauth-flow.ts';

let kit: Kit;
let client: ReturnType<typeof createFlow>;
before(async () => {
  kit = await createKit({ port: 0 });
  client = createFlow(kit.authUrl);
});
after(() => kit.close());

test('a token response lists all granted scopes, and the access token contains all granted scopes except offline_access', async () => {
  const { scope, access_token: token, token_type: type } = await client.obtainTokens();
  assert.deepEqual([scope, type], [ALL_SCOPES, 'Bearer']);
  const claims = JSON.parse(Buffer.from(String(token).split('.')[1]!, 'base64url').toString());
  assert.deepEqual(claims.scope.split(' ').toSorted(), ALL_SCOPES.replace(' offline_access', '').split(' ').toSorted());
  assert.equal(claims.iss, kit.authUrl);
  assert.equal('refresh_token' in (await client.obtainTokens({ scope: 'users:manage' })), false);
});

test('each refresh returns a new refresh token', async () => {
  let { refresh_token: current } = await client.obtainTokens();
  const seen = new Set([current]);
  for (let i = 0; i < 2; i++) {
    const { status, body } = await client.refresh(current);
    assert.deepEqual([status, body.scope], [200, ALL_SCOPES]);
    assert.equal(await readUser(kit.url, body.access_token), 200);
    current = body.refresh_token;
    seen.add(current);
  }
  assert.equal(seen.size, 3);
});

test("a reused refresh token is refused, and all of the grant's tokens are revoked", async () => {
  const first = await client.obtainTokens();
  const second = (await client.refresh(first.refresh_token)).body;
  const other = await client.obtainTokens();
  for (const { access_token: token } of [first, second]) assert.equal(await readUser(kit.url, token), 200);
  const again = await client.refresh(first.refresh_token);
  assert.deepEqual([again.status, again.statusText, again.body.error], [400, 'Bad Request', 'invalid_grant']);
  assert.match(String(again.body.error_description), /already used.*now revoked/);
  assert.equal((await client.refresh(second.refresh_token)).body.error, 'invalid_grant');
  for (const { access_token: token } of [first, second]) assert.equal(await readUser(kit.url, token), 401);
  assert.equal(await readUser(kit.url, other.access_token), 200);
  assert.equal((await client.refresh(other.refresh_token)).status, 200);
});

test('a refresh can request any of the granted scopes, even after a refresh with fewer scopes, but no other scopes', async () => {
  const granted = 'experience-assignments:manage users:manage offline_access';
  const { refresh_token: first } = await client.obtainTokens({ scope: granted });
  const less = (await client.refresh(first, { scope: 'experience-assignments:manage' })).body;
  assert.equal(less.scope, 'experience-assignments:manage');
  assert.equal(await readUser(kit.url, less.access_token), 403);
  for (const scope of ['experience-connections:manage', 'users:mangle']) {
    const { status, body } = await client.refresh(less.refresh_token, { scope });
    assert.deepEqual([status, body.error], [400, 'invalid_scope']);
  }
  const all = (await client.refresh(less.refresh_token)).body;
  assert.equal(all.scope, granted);
});

test('a refresh token can be used only by the client that received it, and only with valid client authentication', async () => {
  const { refresh_token: token } = await client.obtainTokens();
  assert.equal((await createFlow(kit.authUrl, 'acme-worker-1').refresh(token)).body.error, 'invalid_grant');
  for (const secret of [undefined, 'not-the-secret'])
    assert.equal((await client.refresh(token, { client_secret: secret })).body.error, 'invalid_client');
  assert.equal((await client.refresh(token)).status, 200);
});

test("a reset revokes codes and refresh tokens, and deleting a principal revokes that principal's tokens", async () => {
  const code = await client.obtainAuthorizationCode();
  const { refresh_token: token } = await client.obtainTokens();
  const gone = await client.obtainTokens();
  assert.equal((await callControl(kit.url, 'DELETE', '/state/principals/manager')).status, 204);
  assert.equal((await client.refresh(gone.refresh_token)).body.error, 'invalid_grant');
  assert.equal(await readUser(kit.url, gone.access_token), 401);
  assert.equal((await callControl(kit.url, 'POST', '/reset', { to: 'seed' })).status, 200);
  assert.equal((await client.exchange(code)).body.error, 'invalid_grant');
  assert.equal((await client.refresh(token)).body.error, 'invalid_grant');
  assert.equal(await readUser(kit.url, (await client.obtainTokens()).access_token), 200);
});

test('tokens are still valid after the kit restarts at another address', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'xpk-moved-'));
  const data = join(folder, 'kit.db');
  try {
    const before = await createKit({ port: 0, data, publicUrl: 'http://kit.test' });
    const tokens = await createFlow(`http://127.0.0.1:${before.port}/auth`)
      .obtainTokens()
      .finally(() => before.close());
    const again = await createKit({ port: 0, data });
    try {
      assert.equal(await readUser(again.url, tokens.access_token), 200);
      const { status, body } = await createFlow(again.authUrl).refresh(tokens.refresh_token);
      assert.equal(status, 200);
      assert.equal(await readUser(again.url, body.access_token), 200);
    } finally {
      await again.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('access tokens are valid even if the public URL is not in normalized form', async () => {
  for (const [publicUrl, normal] of [
    ['HTTPS://Kit.Test/xpk', 'https://kit.test/xpk'],
    ['https://kit.test/a b', 'https://kit.test/a%20b'],
  ]) {
    const behind = await createKit({ port: 0, publicUrl });
    try {
      const { access_token: token } = await createFlow(`http://127.0.0.1:${behind.port}/auth`).obtainTokens();
      assert.equal(behind.url, normal);
      assert.equal(await readUser(`http://127.0.0.1:${behind.port}`, token), 200);
    } finally {
      await behind.close();
    }
  }
});
