import assert from 'node:assert/strict';
import { after, before, beforeEach, mock, test } from 'node:test';
import { createKit, type Kit } from '../../kit.ts';
import { ASSERTION_TYPE, createAssertion, createFlow, readUser } from '../../testing/oauth-flow.ts';

before(() => mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-01T12:00:00.900Z') }));
after(() => mock.timers.reset());

let kit: Kit;
let client: ReturnType<typeof createFlow>;
before(async () => {
  kit = await createKit({ port: 0 });
  client = createFlow(kit.authUrl);
});
// Kit time is a day ahead, so that a test fails if the server uses wall time.
beforeEach(() => kit.clock.advance('1d'));
after(() => kit.close());

test('in kit time, each refresh token is valid for thirty days, and each grant for a year', async () => {
  let { refresh_token: token } = await client.obtainTokens();
  await kit.clock.advance('29d');
  ({ refresh_token: token } = (await client.refresh(token)).body);
  await kit.clock.advance(30 * 86_400_000 - 1);
  const { status, body } = await client.refresh(token);
  assert.equal(status, 200);
  await kit.clock.advance('30d');
  assert.match(String((await client.refresh(body.refresh_token)).body.error_description), /does not exist|is expired/);
  ({ refresh_token: token } = await client.obtainTokens());
  for (let month = 0; month < 12; month++) {
    await kit.clock.advance('29d');
    const answer = await client.refresh(token);
    assert.equal(answer.status, 200, `month ${month}`);
    token = answer.body.refresh_token;
  }
  await kit.clock.advance('18d');
  assert.equal((await client.refresh(token)).body.error, 'invalid_grant');
});

test('expired refresh tokens are deleted even if nobody logs in again', async () => {
  let { refresh_token: token } = await client.obtainTokens();
  for (let n = 0; n < 4; n++) {
    await kit.clock.advance('29d');
    token = (await client.refresh(token)).body.refresh_token;
  }
  const stored = await kit.store.db.selectFrom('oauth_artifacts').select('id').where('kind', '=', 'RefreshToken').execute();
  assert.equal(stored.length, 2);
});

test('client assertions expire in wall time, and cannot be used twice before they expire', async () => {
  const signer = createFlow(kit.authUrl, 'acme-signer');
  const assertion = await createAssertion('acme-signer', kit.authUrl);
  const proof = { client_secret: undefined, client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
  const code = await signer.obtainAuthorizationCode();
  await kit.clock.advance('59s');
  assert.equal((await signer.exchange(code, proof)).status, 200);
  await kit.clock.advance('1d');
  const again = await signer.exchange(await signer.obtainAuthorizationCode(), proof);
  assert.match(String(again.body.error_description), /was already used/);
  mock.timers.tick(61_000);
  const expired = await signer.exchange(await signer.obtainAuthorizationCode(), proof);
  assert.match(String(expired.body.error_description), /has expired \(exp\)/);
});

test("a client's own lifetimes apply to its codes and tokens, whatever the decisions are", async () => {
  await using own = await createKit({ port: 0, login: 'auto' });
  await own.state.set('clients', 'acme-web', { accessTokenLifetime: 7, codeLifetime: 3 });
  const web = createFlow(own.authUrl);
  const [early, late] = [await web.obtainAuthorizationCode(), await web.obtainAuthorizationCode()];
  await own.clock.advance(2_999);
  const { body } = await web.exchange(early);
  await own.clock.advance(1);
  assert.equal((await web.exchange(late)).body.error, 'invalid_grant');
  assert.equal(body.expires_in, 7);
  await own.clock.advance(6_998);
  assert.equal(await readUser(own.url, body.access_token), 200);
  await own.clock.advance(1);
  assert.equal(await readUser(own.url, body.access_token), 401);
  const [signer, client_assertion] = [createFlow(own.authUrl, 'acme-signer'), await createAssertion('acme-signer', own.authUrl)];
  const proof = { client_secret: undefined, client_assertion_type: ASSERTION_TYPE, client_assertion };
  assert.equal((await signer.exchange(await signer.obtainAuthorizationCode(), proof)).body.expires_in, 3600);
});

test('oauth.access-token-lifetime, oauth.code-lifetime and oauth.assertion.lifetime set the lifetimes', async () => {
  const set = { 'oauth.access-token-lifetime': 7, 'oauth.code-lifetime': 3, 'oauth.assertion.lifetime': 86_400 };
  const short = await createKit({ port: 0, set });
  try {
    const own = createFlow(short.authUrl);
    const [early, late] = [await own.obtainAuthorizationCode(), await own.obtainAuthorizationCode()];
    await short.clock.advance(2_999);
    const { body } = await own.exchange(early);
    await short.clock.advance(1);
    assert.equal((await own.exchange(late)).body.error, 'invalid_grant');
    assert.equal(body.expires_in, 7);
    await short.clock.advance(6_999);
    assert.equal(await readUser(short.url, body.access_token), 401);
    const signer = createFlow(short.authUrl, 'acme-signer');
    for (const [seconds, status] of [
      [86_400, 200],
      [86_460, 401],
    ] as const) {
      const exp = Math.floor(Date.now() / 1000) + seconds;
      const proof = {
        client_assertion_type: ASSERTION_TYPE,
        client_assertion: await createAssertion('acme-signer', short.authUrl, { exp }),
      };
      assert.equal((await signer.exchange(await signer.obtainAuthorizationCode(), { client_secret: undefined, ...proof })).status, status);
    }
  } finally {
    await short.close();
  }
});
