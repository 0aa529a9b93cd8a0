import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { startKitProcess } from '../../http/testing/kit-process.ts';
import { freshDatabase } from '../../store/testing/postgres.ts';
import { browser } from './testing/browser.ts';
import { ASSERTION_TYPE, assertionOf, type Changes, flow } from './testing/flow.ts';

test('the output of the kit contains no code, token, secret, assertion, cookie or phone number, even when requests fail', async () => {
  const database = await freshDatabase();
  const kit = startKitProcess(['--login', 'auto'], { XPK_DATABASE: database });
  const { url } = await kit.started();
  const client = flow(`${url}/auth`);
  const signer = flow(`${url}/auth`, 'acme-signer');
  const assertion = await assertionOf('acme-signer', `${url}/auth`);
  const proof: Changes = { client_secret: undefined, client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
  const code = await client.code({ state: 'canary-state' });
  const tokens = (await client.exchange(code)).body;
  const refreshed = (await client.refresh(tokens.refresh_token)).body;
  for (const send of [
    () => client.exchange(code),
    () => client.refresh(tokens.refresh_token, { client_secret: 'canary-wrong-secret' }),
    () => client.exchange('canary-code', { code_verifier: 'canary-verifier' }),
    async () => signer.exchange(await signer.code(), proof),
    () => client.exchange('x', {}, { authorization: 'Basic canary-basic' }),
    () => client.authorize({ login_hint: '+12065550999', redirect_uri: 'https://canary.example' }),
    () => browser().open(`${url}/auth/interaction/canary-uid`, { headers: { cookie: 'xpk_interaction=canary-cookie' } }),
  ]) {
    await send();
  }
  await dropTheTable(database);
  assert.equal((await client.exchange(code)).status, 500);
  assert.equal((await client.authorize()).status, 500);
  assert.equal((await client.refresh(refreshed.refresh_token)).status, 500);
  await kit.stop();
  assert.match(kit.written.stderr, /"msg":"a request failed unexpectedly"/);
  const written = kit.written.stdout + kit.written.stderr;
  const { access_token: one, refresh_token: two } = tokens;
  const { access_token: three, refresh_token: four } = refreshed;
  const secrets = [code, client.verifier, assertion, one, two, three, four, 'canary', 'demo-secret', '2065550999'].map(String);
  assert.deepEqual(
    secrets.filter((secret) => written.includes(secret)),
    [],
  );
});

/** Makes all further requests fail with a database error. */
async function dropTheTable(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query('drop table oauth_artifacts');
  await client.end();
}
