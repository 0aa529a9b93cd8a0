import { createHash, randomBytes } from 'node:crypto';
import { authenticateClient } from './client-authentication.ts';
import { isE164 } from './format.ts';
import { OAuthError } from './oauth-error.ts';
import { Problem } from './problem.ts';
import type { Service } from './service.ts';
import type { Reply, Token } from './types.ts';

const CODE_LIFETIME = 8_000;
const TOKEN_LIFETIME_SECONDS = 900;
const REFRESH_LIFETIME = 86_400_000;
const SCOPES = [
  'experience-connections:manage',
  'experience-assignments:manage',
  'experience-assignability:check',
  'users:manage',
  'offline_access',
];

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
  const error = findAuthorizationError(service, query, scopes, challenge);
  if (error !== undefined) {
    target.searchParams.set('error', error);
  } else {
    const code = randomBytes(15).toString('base64url');
    service.codes.set(code, { clientId: client.id, redirectUri, scopes, challenge, expiresAt: Date.now() + CODE_LIFETIME });
    target.searchParams.set('code', code);
  }
  return { status: 303, headers: { LOCATION: target.href } };
}

function findAuthorizationError(service: Service, query: URLSearchParams, scopes: string[], challenge: string): string | undefined {
  if (query.get('response_type') !== 'code') return 'unsupported_response_type';
  if (!query.get('state') || !isE164(query.get('login_hint'))) return 'invalid_request';
  if (scopes.length === 0 || scopes.some((scope) => !SCOPES.includes(scope))) return 'invalid_scope';
  if (service.breach === 'pkce-optional' && challenge === '') return undefined;
  if (query.get('code_challenge_method') !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) return 'invalid_request';
  return undefined;
}

/** Answers POST {auth_url}/oauth/token. */
export function exchange(service: Service, contentType: string, text: string): Reply {
  if (!contentType.toLowerCase().startsWith('application/x-www-form-urlencoded')) throw new OAuthError('invalid_request');
  const form = new URLSearchParams(text);
  const client = authenticateClient(service, form);
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return exchangeCode(service, form, client.id, client.principalId);
    case 'refresh_token':
      return refresh(service, form, client.id);
    default:
      throw new OAuthError('unsupported_grant_type');
  }
}

function exchangeCode(service: Service, form: URLSearchParams, clientId: string, principalId: string): Reply {
  const value = form.get('code') ?? '';
  const code = service.codes.get(value);
  if (code === undefined || code.clientId !== clientId) throw new OAuthError('invalid_grant');
  // Delete the code even if the exchange fails.
  if (service.breach !== 'code-twice') service.codes.delete(value);
  const matches =
    code.expiresAt > Date.now() &&
    code.redirectUri === form.get('redirect_uri') &&
    isVerifierValid(service, form.get('code_verifier') ?? '', code.challenge);
  if (!matches) throw new OAuthError('invalid_grant');
  return grantTokens(service, { clientId, principalId, scopes: new Set(code.scopes), principalClaim: true });
}

function isVerifierValid(service: Service, verifier: string, challenge: string): boolean {
  if (service.breach === 'pkce-optional' && challenge === '') return true;
  const wellFormed = service.breach === 'verifier-any-length' ? /^[A-Za-z0-9._~-]+$/ : /^[A-Za-z0-9._~-]{43,128}$/;
  return wellFormed.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === challenge;
}

function refresh(service: Service, form: URLSearchParams, clientId: string): Reply {
  const value = form.get('refresh_token') ?? '';
  const token = service.refreshTokens.get(value);
  if (token === undefined || token.clientId !== clientId || token.expiresAt <= Date.now()) throw new OAuthError('invalid_grant');
  service.refreshTokens.delete(value);
  return grantTokens(service, token);
}

function grantTokens(service: Service, token: Omit<Token, 'expiresAt'>): Reply {
  const body: Record<string, unknown> = {
    token_type: 'bearer',
    access_token: issueToken(service, token, TOKEN_LIFETIME_SECONDS),
    expires_in: TOKEN_LIFETIME_SECONDS,
    scope: [...token.scopes].join(' '),
    issued_for: token.clientId,
  };
  if (token.scopes.has('offline_access')) {
    const refreshToken = randomBytes(24).toString('base64url');
    service.refreshTokens.set(refreshToken, { ...token, expiresAt: Date.now() + REFRESH_LIFETIME });
    body.refresh_token = refreshToken;
  }
  return { status: 200, body, headers: { 'CACHE-CONTROL': 'no-store' } };
}

/** @param seconds the lifetime; negative: already expired */
export function issueToken(service: Service, token: Omit<Token, 'expiresAt'>, seconds: number): string {
  const value = `at.${randomBytes(24).toString('hex')}`;
  service.tokens.set(value, { ...token, expiresAt: Date.now() + seconds * 1000 });
  return value;
}
