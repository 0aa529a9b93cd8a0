import { createHash } from 'node:crypto';
import type { Parameters, Scenario, Scenarios } from './scenario.ts';
import { authorizePath } from './steps.ts';

const VERIFIER = 'a-code-verifier-of-the-scenarios-0123456789-ABC';
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
const REDIRECT_URI = 'http://127.0.0.1:3000/callback';

const AUTHORIZE: Parameters = {
  response_type: 'code',
  client_id: '{clients/acme-web}',
  redirect_uri: REDIRECT_URI,
  scope: 'users:manage',
  state: 'scenario',
  code_challenge: challengeOf(VERIFIER),
  code_challenge_method: 'S256',
  login_hint: '+12065550100',
};
const TOKEN: Parameters = {
  grant_type: 'authorization_code',
  code: '$CODE',
  redirect_uri: REDIRECT_URI,
  client_id: '{clients/acme-web}',
  client_secret: 'demo-secret-acme-web',
  code_verifier: VERIFIER,
};

type Changes = Readonly<Record<string, string | undefined>>;
const changed = (parameters: Parameters, changes: Changes): Parameters =>
  Object.fromEntries(Object.entries({ ...parameters, ...changes }).filter((pair): pair is [string, string] => pair[1] !== undefined));

/** An authorization request that is refused with a redirect, or without one. */
const authorize = (title: string, changes: Changes, status: number, answer: string): Scenario => ({
  title,
  request: {
    path: authorizePath(changed(AUTHORIZE, changes)),
    token: 'none',
  },
  status,
  answer,
});
const token = (title: string, changes: Changes, status: number, answer: string, authorization?: Changes): Scenario => ({
  title,
  ...(authorization && { authorization: changed(AUTHORIZE, authorization) }),
  request: {
    method: 'POST',
    path: '/auth/oauth/token',
    token: 'none',
    form: changed(TOKEN, { code: authorization ? '$CODE' : 'unknown', ...changes }),
  },
  status,
  answer,
});
const withVerifier = (title: string, verifier: string) =>
  token(title, { code_verifier: verifier }, 400, 'invalid_request', { code_challenge: challengeOf(verifier) });

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const UNSIGNED = `${encode({ alg: 'none' })}.${encode({ iss: 'nobody', sub: 'nobody', aud: 'nobody' })}.`;
const SIGNED =
  'The request needs a signed assertion: sign one with xpk assertion --client acme-signer --key fixtures/keys/acme-signer.private.jwk.json';

/** Scenarios of the authorization server. */
export const oauth = {
  'oauth.pkce.required': [
    authorize(
      'The authorization request has no code_challenge.',
      { code_challenge: undefined, code_challenge_method: undefined },
      303,
      'invalid_request',
    ),
  ],
  'oauth.pkce.plain': [authorize('The code_challenge_method is plain.', { code_challenge_method: 'plain' }, 303, 'invalid_request')],
  'oauth.pkce.verifier-length': [
    withVerifier('The code_verifier has 42 characters.', 'a'.repeat(42)),
    withVerifier('The code_verifier has 129 characters.', 'a'.repeat(129)),
  ],
  'oauth.pkce.verifier-alphabet': [withVerifier('The code_verifier has spaces.', 'a '.repeat(30))],
  'oauth.pkce.verifier-missing': [token('The token request has no code_verifier.', { code_verifier: undefined }, 400, 'invalid_grant', {})],
  'oauth.pkce.verifier-wrong': [
    token('The code_verifier does not match the code_challenge.', { code_verifier: 'a'.repeat(43) }, 400, 'invalid_grant', {}),
  ],
  'oauth.clients.confidential-only': [token('The client does not authenticate.', { client_secret: undefined }, 401, 'invalid_client')],
  'oauth.clients.both-methods': [
    token(
      'The client sends its secret and an assertion.',
      { client_assertion_type: ASSERTION_TYPE, client_assertion: UNSIGNED },
      400,
      'invalid_request',
    ),
  ],
  'oauth.clients.wrong-secret': [token('The secret is wrong.', { client_secret: 'not-the-secret' }, 401, 'invalid_client')],
  'oauth.clients.assertion-signature': { reason: `${SIGNED}, and change the last characters of it` },
  'oauth.clients.assertion-expired': { reason: `${SIGNED} --expires 1, and send it after a second` },
  'oauth.clients.assertion-audience': { reason: `${SIGNED} --audience https://other.example` },
  'oauth.code.single-use': { reason: 'The code must be exchanged twice.' },
  'oauth.code.short-lived': { reason: 'The code must be an hour old: request a code, then xpk clock advance 1h' },
  'oauth.code.ten-minutes': { reason: 'The code must be ten minutes old: request a code, then xpk clock advance 10m' },
  'oauth.code.client': [
    token(
      'The code was issued to another client.',
      { client_id: '{clients/acme-worker-1}', client_secret: 'demo-secret-acme-worker-1' },
      400,
      'invalid_grant',
      {},
    ),
  ],
  'oauth.code.redirect-uri': [
    token(
      'The redirect_uri differs from that of the authorization request.',
      { redirect_uri: 'http://localhost:3000/callback' },
      400,
      'invalid_grant',
      {},
    ),
  ],
  'oauth.code.unknown': [token('The code was never issued.', {}, 400, 'invalid_grant')],
  'oauth.authorize.redirect-uri-unknown': [
    authorize('The redirect_uri is not registered.', { redirect_uri: 'http://127.0.0.1:3000/other' }, 400, 'invalid_redirect_uri'),
  ],
  'oauth.authorize.client-unknown': [authorize('The client does not exist.', { client_id: 'nobody' }, 400, 'invalid_client')],
  'oauth.callback.denied': [authorize('The user declines.', { login_hint: '+12065550159' }, 303, 'access_denied')],
} as const satisfies Partial<Scenarios>;
