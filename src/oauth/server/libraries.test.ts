import assert from 'node:assert/strict';
import { createPrivateKey, type webcrypto } from 'node:crypto';
import { after, before, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { createKit, type Kit } from '../../kit.ts';
import { ALL_SCOPES, getClientId, MANAGER_NUMBER, REDIRECT_URI, readPrivateJwk, readUser } from '../../testing/oauth-flow.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(() => kit.close());

async function importSigningKey(alias: string): Promise<webcrypto.CryptoKey> {
  const key = createPrivateKey({ key: readPrivateJwk(alias), format: 'jwk' });
  return key.toCryptoKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
}

async function approveInBrowser(url: URL): Promise<URL> {
  const response = await fetch(url, { redirect: 'manual' });
  return new URL(response.headers.get('location') ?? '');
}

const OAUTH_DISCOVERY = { [oauth.allowInsecureRequests]: true };
const clients = {
  client_secret: ['acme-web', 'oauth2', async () => openid.ClientSecretPost('demo-secret-acme-web')],
  'client_assertion, of a client that may also use a secret': [
    'acme-either',
    'oidc',
    async () => openid.PrivateKeyJwt({ key: await importSigningKey('acme-either'), kid: 'demo-acme-either' }),
  ],
} as const;
for (const [method, [alias, algorithm, authentication]] of Object.entries(clients)) {
  test(`openid-client 6 discovers the metadata by ${algorithm}, and works without changes with ${method}`, async () => {
    const options = { algorithm, execute: [openid.allowInsecureRequests] };
    const config = await openid.discovery(new URL(kit.authUrl), getClientId(alias), undefined, await authentication(), options);
    assert.equal(config.serverMetadata().supportsPKCE(), true);
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const callback = await approveInBrowser(
      openid.buildAuthorizationUrl(config, {
        redirect_uri: REDIRECT_URI,
        scope: ALL_SCOPES,
        state: expectedState,
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        login_hint: MANAGER_NUMBER,
      }),
    );
    const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
    assert.equal(tokens.expires_in, 3600);
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '', { scope: 'users:manage' });
    assert.equal(refreshed.scope, 'users:manage');
    for (const { access_token: token } of [tokens, refreshed]) {
      assert.equal(await readUser(kit.url, token), 200);
      // A resource server with an OAuth library must accept the token.
      const request = new Request(kit.url, { headers: { authorization: `Bearer ${token}` } });
      const { iss } = await oauth.validateJwtAccessToken(
        config.serverMetadata(),
        request,
        'urn:experience-provider-kit:api',
        OAUTH_DISCOVERY,
      );
      assert.equal(iss, kit.authUrl);
    }
  });
}
