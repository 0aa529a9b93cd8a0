import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client } from 'undici';
import type { components } from '../contract/generated/control.ts';
import { createKit } from '../kit.ts';
import { createChallenge, createFlow, getClientId, MANAGER_NUMBER } from '../testing/oauth-flow.ts';
import { callControl } from './testing/call.ts';

type Entry = components['schemas']['JournalEntry'];

const kit = await createKit({ port: 0, login: 'auto' });
after(() => kit.close());

const readEntries = async (operation: string) => (await callControl<Entry[]>(kit.url, 'GET', `/requests?operation=${operation}`)).body;
const get = (path: string, token: string) => fetch(`${kit.url}${path}`, { headers: { authorization: `Bearer ${token}` } });

test('fingerprints connect a login to its token request and to the calls with its token, and reveal no secrets', async () => {
  const client = createFlow(kit.authUrl);
  const tokens = await client.obtainTokens();
  await get('/users/2065550001', String(tokens.access_token));
  const [authorization] = await readEntries('authorize');
  const [exchange] = await readEntries('token');
  const [call] = await readEntries('getUser');
  assert.deepEqual(authorization?.oauth, {
    clientId: getClientId('acme-web'),
    loginHint: 'E.164',
    issued: { code: exchange?.oauth?.code, state: 'state-1' },
  });
  const { authentication, verifier, issued } = exchange?.oauth ?? {};
  assert.deepEqual(authentication, ['client_secret']);
  assert.deepEqual(verifier, { challenge: createChallenge(client.verifier), length: 43, unreserved: true, repetitive: false });
  assert.deepEqual(call?.credential, issued?.accessToken);
  assert.deepEqual([issued?.expiresIn, call?.credential?.clientId], [tokens.expires_in, getClientId('acme-web')]);
  await client.refresh(tokens.refresh_token);
  assert.equal((await readEntries('token'))[0]?.oauth?.refreshToken, issued?.refreshToken);
  const journal = await (await fetch(`${kit.url}/_control/requests`)).text();
  for (const secret of [tokens.access_token, tokens.refresh_token, client.verifier, encodeURIComponent(MANAGER_NUMBER)])
    assert.ok(!journal.includes(String(secret)));
});

test('with the `altered-state` fault, the redirect has a valid code and a wrong state, and the entry records the fault', async () => {
  await using _ = await kit.fault({ fault: 'altered-state', times: 1 });
  const client = createFlow(kit.authUrl);
  const { location } = await client.authorize();
  assert.notEqual(location?.searchParams.get('state'), 'state-1');
  assert.equal((await client.exchange(location?.searchParams.get('code') ?? '')).status, 200);
  const { issued } = (await readEntries('authorize'))[0]?.oauth ?? {};
  assert.deepEqual([issued?.alteredState, issued?.state], [true, location?.searchParams.get('state')]);
  assert.equal((await client.authorize()).location?.searchParams.get('state'), 'state-1');
});

test("a token request's entry lists all client authentications in the request", async () => {
  const { exchange } = createFlow(kit.authUrl);
  const basic = `Basic ${Buffer.from('client-1:hush').toString('base64')}`;
  await exchange('code', { client_assertion: 'e30.e30.', client_id: undefined }, { authorization: basic });
  const oauth = (await readEntries('token'))[0]?.oauth;
  assert.deepEqual([oauth?.clientId, oauth?.authentication], ['client-1', ['client_secret', 'client_assertion', 'authorization_header']]);
});

test("a refused token's entry has a fingerprint, the reason and the readable claims", async () => {
  await get('/users/2065550001', await kit.mint({ kind: 'expired' }));
  await get('/users/2065550001', 'nonsense');
  const [nonsense, expired] = await readEntries('getUser');
  assert.deepEqual(Object.keys(nonsense?.credential ?? {}), ['fingerprint', 'problem']);
  assert.deepEqual([expired?.credential?.problem, expired?.credential?.clientId], ['expired', getClientId('acme-web')]);
});

test("a list request's entry has the next page's cursor, even if the response is too large to be stored", async () => {
  const { full = '' } = await kit.tokens();
  const pages: Entry[] = [];
  for (const account of ['northwind', 'contoso']) {
    const id = await kit.id('accounts', account);
    for (const pageSize of [1, 100, 200]) {
      const { cursor } = (await (await get(`/users?accountId=${id}&pageSize=${pageSize}`, full)).json()) as { cursor: string | null };
      const [entry] = await readEntries('getUsers');
      assert.equal(entry?.nextCursor, cursor);
      pages.push(entry!);
    }
  }
  assert.ok(pages.some(({ response, nextCursor }) => response?.truncated && nextCursor));
});

test('the entries of requests on one connection have the same connection number', async () => {
  const client = new Client(kit.url);
  for (const path of ['/users/1', '/users/2']) await (await client.request({ method: 'GET', path })).body.dump();
  await client.close();
  const [second, first] = await readEntries('getUser');
  assert.equal(second?.connection?.number, first?.connection?.number);
  assert.ok(second!.connection!.ageMs > first!.connection!.ageMs);
  assert.ok(second!.arrivedMs! > first!.arrivedMs!);
});
