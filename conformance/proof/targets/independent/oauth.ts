import { createHash, type KeyObject, randomBytes, timingSafeEqual, verify } from 'node:crypto';
import { isE164, parseObject } from './format.ts';
import { OAuthError, Problem } from './problem.ts';
import { SCOPES } from './router.ts';
import type { Client, Reply, Service, Token } from './service.ts';

const CODE_LIFETIME = 8_000;
const TOKEN_LIFETIME_SECONDS = 900;
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** The tolerance, in seconds, for the times in an assertion. */
const LEEWAY = 5;
const ALLOWED_SCOPES = [...Object.values(SCOPES), 'offline_access'];

/** Answers GET {auth_url}/authorize without a sign-in page: the principal consents immediately. */
export function authorize(service: Service, query: URLSearchParams): Reply {
  const client = service.clients.get(query.get('client_id') ?? '');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (client === undefined || !client.redirectUris.includes(redirectUri)) throw new Problem(400, 'client_id or redirect_uri is not known');
  const target = new URL(redirectUri);
  const state = query.get('state');
  if (state !== null) target.searchParams.set('state', state);
  const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  const challenge = query.get('code_challenge') ?? '';
  const error = findAuthorizationError(query, scopes, challenge);
  if (error !== undefined) {
    target.searchParams.set('error', error);
  } else {
    const code = randomBytes(15).toString('base64url');
    service.codes.set(code, { clientId: client.id, redirectUri, scopes, challenge, expiresAt: Date.now() + CODE_LIFETIME });
    target.searchParams.set('code', code);
  }
  return { status: 303, headers: { LOCATION: target.href } };
}

function findAuthorizationError(query: URLSearchParams, scopes: string[], challenge: string): string | undefined {
  if (query.get('response_type') !== 'code') return 'unsupported_response_type';
  if (!query.get('state') || !isE164(query.get('login_hint'))) return 'invalid_request';
  if (scopes.length === 0 || scopes.some((scope) => !ALLOWED_SCOPES.includes(scope))) return 'invalid_scope';
  if (query.get('code_challenge_method') !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) return 'invalid_request';
  return undefined;
}

/** Answers POST {auth_url}/oauth/token. */
export function exchange(service: Service, contentType: string, text: string): Reply {
  if (!contentType.toLowerCase().startsWith('application/x-www-form-urlencoded')) throw new OAuthError('invalid_request');
  const form = new URLSearchParams(text);
  const client = authenticateClient(service, form);
  if (form.get('grant_type') !== 'authorization_code') throw new OAuthError('unsupported_grant_type');
  const value = form.get('code') ?? '';
  const code = service.codes.get(value);
  if (code === undefined || code.clientId !== client.id) throw new OAuthError('invalid_grant');
  // Delete the code even if the exchange fails.
  service.codes.delete(value);
  const isValid =
    code.expiresAt > Date.now() &&
    code.redirectUri === form.get('redirect_uri') &&
    isVerifierValid(form.get('code_verifier') ?? '', code.challenge);
  if (!isValid) throw new OAuthError('invalid_grant');
  const token = { clientId: client.id, principalId: client.principalId, scopes: new Set(code.scopes), principalClaim: true };
  const body = {
    token_type: 'bearer',
    access_token: issueToken(service, token, TOKEN_LIFETIME_SECONDS),
    expires_in: TOKEN_LIFETIME_SECONDS,
    scope: code.scopes.join(' '),
    issued_for: client.id,
  };
  return { status: 200, body, headers: { 'CACHE-CONTROL': 'no-store' } };
}

function isVerifierValid(verifier: string, challenge: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === challenge;
}

/** @param seconds the lifetime; negative: already expired */
export function issueToken(service: Service, token: Omit<Token, 'expiresAt'>, seconds: number): string {
  const value = `at.${randomBytes(24).toString('hex')}`;
  service.tokens.set(value, { ...token, expiresAt: Date.now() + seconds * 1000 });
  return value;
}

/** The request has to use exactly one authentication method. */
function authenticateClient(service: Service, form: URLSearchParams): Client {
  const secret = form.get('client_secret');
  const assertion = form.get('client_assertion');
  const assertionType = form.get('client_assertion_type');
  if (secret !== null && (assertion !== null || assertionType !== null)) throw new OAuthError('invalid_request');
  const client = service.clients.get(form.get('client_id') ?? '');
  if (client === undefined) throw new OAuthError('invalid_client');
  const isAuthentic =
    client.publicKey === undefined
      ? secret !== null && isSecretValid(secret, client.secret ?? '')
      : assertionType === ASSERTION_TYPE && isAssertionValid(service, client.id, client.publicKey, assertion ?? '');
  if (!isAuthentic) throw new OAuthError('invalid_client');
  return client;
}

function isSecretValid(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The assertion must be signed with Ed25519 and contain an expiration time, and its jti, if any, must be new. */
function isAssertionValid(service: Service, clientId: string, key: KeyObject, assertion: string): boolean {
  const [header = '', payload = '', signature = '', ...more] = assertion.split('.');
  const decode = (part: string): Record<string, unknown> => parseObject(Buffer.from(part, 'base64url').toString()) ?? {};
  const claims = decode(payload);
  if (more.length > 0 || decode(header).alg !== 'EdDSA') return false;
  if (!verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))) return false;
  if (claims.iss !== clientId || claims.sub !== clientId) return false;
  const audiences = [claims.aud].flat();
  if (!audiences.includes(service.authUrl) && !audiences.includes(`${service.authUrl}/oauth/token`)) return false;
  const now = Date.now() / 1000;
  if (typeof claims.exp !== 'number' || claims.exp <= now - LEEWAY) return false;
  if (typeof claims.nbf === 'number' && claims.nbf > now + LEEWAY) return false;
  if (claims.jti === undefined) return true;
  const use = `${clientId} ${String(claims.jti)}`;
  if (service.usedAssertions.has(use)) return false;
  service.usedAssertions.add(use);
  return true;
}
