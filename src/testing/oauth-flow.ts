import assert from 'node:assert/strict';
import { createHash, createPrivateKey, type JsonWebKey, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type JWTPayload, SignJWT } from 'jose';
import { stableUuid } from '../clock/ids.ts';
import { SCOPES } from '../oauth/server/scopes.ts';
import { resolvePackageFile } from '../world/package-files.ts';
import { DEFAULT_EPOCH } from '../world/world.ts';

type Parameters = Readonly<Record<string, string>>;
/** The value undefined removes a parameter. */
export type Changes = Readonly<Record<string, string | undefined>>;

/** The phone number of the demo world's principal Maya Manager. */
export const MANAGER_NUMBER = '+12065550100';
export const REDIRECT_URI = 'http://127.0.0.1:3000/callback';
export const ALL_SCOPES = Object.keys(SCOPES).join(' ');
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export const getClientId = (alias: string): string => stableUuid('demo', 'client', alias, Date.parse(DEFAULT_EPOCH));

export const createChallenge = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

export const readPrivateJwk = (alias: string): JsonWebKey =>
  JSON.parse(readFileSync(resolvePackageFile(`fixtures/keys/${alias}.private.jwk.json`), 'utf8')) as JsonWebKey;

/** Signs a demo client's assertion, which expires after a minute of wall time. In `changes`, the value undefined removes a claim. */
export function createAssertion(
  alias: string,
  audience: string,
  changes: Readonly<Record<string, unknown>> = {},
  key = alias,
): Promise<string> {
  const jwk = readPrivateJwk(key);
  const now = Math.floor(Date.now() / 1000);
  const id = getClientId(alias);
  const claims = { iss: id, sub: id, aud: audience, jti: randomUUID(), iat: now, exp: now + 60, ...changes };
  return new SignJWT(JSON.parse(JSON.stringify(claims)) as JWTPayload)
    .setProtectedHeader({ alg: 'ES256', kid: String(jwk.kid) })
    .sign(createPrivateKey({ key: jwk, format: 'jwk' }));
}

export interface TokenResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Callback {
  readonly status: number;
  /** Undefined if the response is not a redirect. */
  readonly location: URL | undefined;
  readonly body: string;
  readonly headers: Headers;
}

export function createFlow(authUrl: string, alias = 'acme-web', id = getClientId(alias)) {
  const verifier = randomBytes(32).toString('base64url');
  const request: Parameters = {
    response_type: 'code',
    client_id: id,
    redirect_uri: REDIRECT_URI,
    scope: ALL_SCOPES,
    state: 'state-1',
    code_challenge: createChallenge(verifier),
    code_challenge_method: 'S256',
    login_hint: MANAGER_NUMBER,
  };
  const authorizeUrl = (changes: Changes = {}): string => `${authUrl}/authorize?${new URLSearchParams(applyChanges(request, changes))}`;

  async function authorize(changes: Changes = {}): Promise<Callback> {
    const response = await fetch(authorizeUrl(changes), { redirect: 'manual' });
    const location = response.headers.get('location');
    return {
      status: response.status,
      location: location === null ? undefined : new URL(location),
      body: await response.text(),
      headers: response.headers,
    };
  }
  async function obtainAuthorizationCode(changes: Changes = {}): Promise<string> {
    const { location, body } = await authorize(changes);
    return (
      location?.searchParams.get('code') ?? assert.fail(`The response to the authorization request has no code: ${location?.href ?? body}`)
    );
  }
  async function postTokenRequest(parameters: Parameters | string, headers: Parameters = {}): Promise<TokenResponse> {
    const body = typeof parameters === 'string' ? parameters : new URLSearchParams(parameters);
    const response = await fetch(`${authUrl}/oauth/token`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
    const { status, statusText } = response;
    return { status, statusText, headers: response.headers, body: JSON.parse(await response.text()) as TokenResponse['body'] };
  }
  const exchange = (code: string, changes: Changes = {}, headers: Parameters = {}): Promise<TokenResponse> =>
    postTokenRequest(
      applyChanges(
        {
          grant_type: 'authorization_code',
          code,
          redirect_uri: REDIRECT_URI,
          client_id: id,
          code_verifier: verifier,
          client_secret: `demo-secret-${alias}`,
        },
        changes,
      ),
      headers,
    );
  const refresh = (refreshToken: unknown, changes: Changes = {}): Promise<TokenResponse> =>
    postTokenRequest(
      applyChanges(
        { grant_type: 'refresh_token', refresh_token: String(refreshToken), client_id: id, client_secret: `demo-secret-${alias}` },
        changes,
      ),
    );
  async function obtainTokens(changes: Changes = {}): Promise<TokenResponse['body']> {
    const { status, body } = await exchange(await obtainAuthorizationCode(changes));
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }
  return { verifier, authorizeUrl, authorize, obtainAuthorizationCode, postTokenRequest, exchange, refresh, obtainTokens };
}

const applyChanges = (parameters: Parameters, changes: Changes): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...parameters, ...changes }).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** Requires users:manage and a principal. */
export async function readUser(url: string, token: unknown): Promise<number> {
  return (await fetch(`${url}/users/2065550001`, { headers: { authorization: `Bearer ${token}` } })).status;
}

/** Asserts a valid error of the token endpoint (RFC 6749, section 5.2). */
export function expectError(
  { status, headers, body }: TokenResponse,
  expected: readonly [status: number, error: string, why: RegExp],
): void {
  const [expectedStatus, error, why] = expected;
  assert.deepEqual([status, body.error], [expectedStatus, error], JSON.stringify(body));
  assert.match(String(body.error_description), why);
  assert.match(String(body.error_description), /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  assert.deepEqual(Object.keys(body), ['error', 'error_description']);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
}
