import assert from 'node:assert/strict';
import { createPrivateKey, type webcrypto } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { createKit, type Kit } from '../../kit.ts';
import { ALL_SCOPES, clientId, MANAGER, privateJwk, REDIRECT_URI, readUser } from './testing/flow.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(() => kit.close());

/** The key as the libraries take it. */
async function signingKey(alias: string): Promise<webcrypto.CryptoKey> {
  const key = createPrivateKey({ key: privateJwk(alias), format: 'jwk' });
  return key.toCryptoKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
}

/** Where the browser of a user who approves ends. */
async function approved(url: URL): Promise<URL> {
  const response = await fetch(url, { redirect: 'manual' });
  return new URL(response.headers.get('location') ?? '');
}

describe('openid-client 6, unmodified: discovery, authorize, code, token, API call, refresh', () => {
  const methods = {
    client_secret: ['acme-web', async () => openid.ClientSecretPost('demo-secret-acme-web')],
    client_assertion: ['acme-signer', async () => openid.PrivateKeyJwt({ key: await signingKey('acme-signer'), kid: 'demo-acme-signer' })],
    'client_secret, of a client that may use either': ['acme-either', async () => openid.ClientSecretPost('demo-secret-acme-either')],
    'client_assertion, of a client that may use either': [
      'acme-either',
      async () => openid.PrivateKeyJwt({ key: await signingKey('acme-either'), kid: 'demo-acme-either' }),
    ],
  } as const;
  for (const algorithm of ['oauth2', 'oidc'] as const) {
    for (const [method, [alias, authentication]] of Object.entries(methods)) {
      test(`${method}, metadata where ${algorithm} has it`, async () => {
        const options = { algorithm, execute: [openid.allowInsecureRequests] };
        const config = await openid.discovery(new URL(kit.authUrl), clientId(alias), undefined, await authentication(), options);
        assert.equal(config.serverMetadata().supportsPKCE(), true);
        const pkceCodeVerifier = openid.randomPKCECodeVerifier();
        const expectedState = openid.randomState();
        const callback = await approved(
          openid.buildAuthorizationUrl(config, {
            redirect_uri: REDIRECT_URI,
            scope: ALL_SCOPES,
            state: expectedState,
            code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
            code_challenge_method: 'S256',
            login_hint: MANAGER,
          }),
        );
        const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
        assert.equal(tokens.expires_in, 3600);
        assert.equal(await readUser(kit.url, tokens.access_token), 200);
        const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '', { scope: 'users:manage' });
        assert.equal(refreshed.scope, 'users:manage');
        assert.notEqual(refreshed.refresh_token, tokens.refresh_token);
        assert.equal(await readUser(kit.url, refreshed.access_token), 200);
      });
    }
  }
});

describe('oauth4webapi 3, unmodified: discovery, authorize, code, token, API call, refresh', () => {
  const methods = {
    client_secret: ['acme-web', async () => oauth.ClientSecretPost('demo-secret-acme-web')],
    client_assertion: ['acme-signer', async () => oauth.PrivateKeyJwt({ key: await signingKey('acme-signer'), kid: 'demo-acme-signer' })],
  } as const;
  const http = { [oauth.allowInsecureRequests]: true };
  /** Checks that a resource server that uses the library accepts the token, and that the kit does. */
  async function expectValid(server: oauth.AuthorizationServer, token: string): Promise<void> {
    const request = new Request(kit.url, { headers: { authorization: `Bearer ${token}` } });
    const { iss } = await oauth.validateJwtAccessToken(server, request, 'urn:experience-provider-kit:api', http);
    assert.equal(iss, kit.authUrl);
    assert.equal(await readUser(kit.url, token), 200);
  }
  for (const [method, [alias, authentication]] of Object.entries(methods)) {
    test(method, async () => {
      const issuer = new URL(kit.authUrl);
      const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...http });
      const server = await oauth.processDiscoveryResponse(issuer, found);
      const client = { client_id: clientId(alias) };
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const url = new URL(server.authorization_endpoint ?? '');
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: REDIRECT_URI,
        scope: ALL_SCOPES,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        login_hint: MANAGER,
      }).toString();
      const callback = oauth.validateAuthResponse(server, client, await approved(url), state);
      const authenticate = await authentication();
      const answer = await oauth.authorizationCodeGrantRequest(server, client, authenticate, callback, REDIRECT_URI, verifier, http);
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer);
      await expectValid(server, tokens.access_token);
      const again = await oauth.refreshTokenGrantRequest(server, client, authenticate, tokens.refresh_token ?? '', http);
      const refreshed = await oauth.processRefreshTokenResponse(server, client, again);
      assert.equal(refreshed.scope, ALL_SCOPES);
      await expectValid(server, refreshed.access_token);
    });
  }
});
