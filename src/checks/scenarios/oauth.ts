import { createHash } from 'node:crypto';
import type { RefusalTable } from '../../refusals/refusal.ts';
import type { Parameters, Scenario } from '../../refusals/scenario.ts';
import { buildAuthorizePath } from './steps.ts';

const VERIFIER = 'a-code-verifier-of-the-scenarios-0123456789-ABC';
const computeChallenge = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
const REDIRECT_URI = 'http://127.0.0.1:3000/callback';

const AUTHORIZE_PARAMETERS: Parameters = {
  response_type: 'code',
  client_id: '{clients/acme-web}',
  redirect_uri: REDIRECT_URI,
  scope: 'users:manage',
  state: 'scenario',
  code_challenge: computeChallenge(VERIFIER),
  code_challenge_method: 'S256',
  login_hint: '+12065550100',
};
const TOKEN_PARAMETERS: Parameters = {
  grant_type: 'authorization_code',
  code: '$CODE',
  redirect_uri: REDIRECT_URI,
  client_id: '{clients/acme-web}',
  client_secret: 'demo-secret-acme-web',
  code_verifier: VERIFIER,
};

type ParameterChanges = Readonly<Record<string, string | undefined>>;
const changeParameters = (parameters: Parameters, changes: ParameterChanges): Parameters =>
  Object.fromEntries(Object.entries({ ...parameters, ...changes }).filter((pair): pair is [string, string] => pair[1] !== undefined));

/** An authorization request. */
const authorize = (title: string, status: number, answer: string, changes: ParameterChanges): Scenario => ({
  ...{ title, status, answer },
  request: { path: buildAuthorizePath(changeParameters(AUTHORIZE_PARAMETERS, changes)), token: 'none' },
});
/** A token request with a code that was never issued. */
const requestToken = (title: string, status: number, answer: string, changes: ParameterChanges): Scenario => ({
  ...{ title, status, answer },
  request: {
    method: 'POST',
    path: '/auth/oauth/token',
    token: 'none',
    form: changeParameters(TOKEN_PARAMETERS, { code: 'unknown', ...changes }),
  },
});
/** A token request with the code of an authorization request. */
const exchange = (title: string, answer: string, changes: ParameterChanges, authorization: ParameterChanges = {}): Scenario => ({
  ...requestToken(title, 400, answer, { code: '$CODE', ...changes }),
  authorization: changeParameters(AUTHORIZE_PARAMETERS, authorization),
});
const exchangeVerifier = (title: string, verifier: string) =>
  exchange(title, 'invalid_request', { code_verifier: verifier }, { code_challenge: computeChallenge(verifier) });

const encodeJwtPart = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const UNSIGNED_ASSERTION = {
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: `${encodeJwtPart({ alg: 'none' })}.${encodeJwtPart({ iss: 'nobody', sub: 'nobody', aud: 'nobody' })}.`,
};
const OTHER_CLIENT = { client_id: '{clients/acme-worker-1}', client_secret: 'demo-secret-acme-worker-1' };
const NEEDS_SIGNED_ASSERTION =
  'The request needs a signed assertion. Sign one with xpk assertion --client acme-signer --key fixtures/keys/acme-signer.private.jwk.json';

export const oauthScenarios = {
  'oauth.pkce.required': [
    authorize('The authorization request has no code_challenge.', 303, 'invalid_request', {
      code_challenge: undefined,
      code_challenge_method: undefined,
    }),
  ],
  'oauth.pkce.plain': [
    authorize('The code_challenge_method is plain.', 303, 'invalid_request', { code_challenge_method: 'plain' }),
    authorize('The request has no code_challenge_method.', 303, 'invalid_request', { code_challenge_method: undefined }),
  ],
  'oauth.pkce.verifier-length': [
    exchangeVerifier('The code_verifier has 42 characters.', 'a'.repeat(42)),
    exchangeVerifier('The code_verifier has 129 characters.', 'a'.repeat(129)),
  ],
  'oauth.pkce.verifier-alphabet': [exchangeVerifier('The code_verifier has spaces.', 'a '.repeat(30))],
  'oauth.pkce.verifier-missing': [exchange('The token request has no code_verifier.', 'invalid_grant', { code_verifier: undefined })],
  'oauth.pkce.verifier-wrong': [
    exchange('The code_verifier does not match the code_challenge.', 'invalid_grant', { code_verifier: 'a'.repeat(43) }),
  ],
  'oauth.clients.confidential-only': [
    requestToken('The client does not authenticate.', 401, 'invalid_client', { client_secret: undefined }),
  ],
  'oauth.clients.both-methods': [requestToken('The client sends its secret and an assertion.', 400, 'invalid_request', UNSIGNED_ASSERTION)],
  'oauth.clients.wrong-secret': [requestToken('The secret is wrong.', 401, 'invalid_client', { client_secret: 'not-the-secret' })],
  'oauth.clients.assertion-signature': { reason: `${NEEDS_SIGNED_ASSERTION}, and change the last characters of the assertion` },
  'oauth.clients.assertion-expired': { reason: `${NEEDS_SIGNED_ASSERTION} --expires 1, and send it after a second` },
  'oauth.clients.assertion-audience': { reason: `${NEEDS_SIGNED_ASSERTION} --audience https://other.example` },
  'oauth.code.single-use': { reason: 'Exchange the same code twice.' },
  'oauth.code.short-lived': { reason: 'The code must be an hour old. Request a code, then run xpk clock advance 1h' },
  'oauth.code.ten-minutes': { reason: 'The code must be ten minutes old. Request a code, then run xpk clock advance 10m' },
  'oauth.code.client': [exchange('The code was issued to another client.', 'invalid_grant', OTHER_CLIENT)],
  'oauth.code.redirect-uri': [
    exchange('The redirect_uri differs from the one in the authorization request.', 'invalid_grant', {
      redirect_uri: 'http://localhost:3000/callback',
    }),
  ],
  'oauth.code.unknown': [requestToken('The code was never issued.', 400, 'invalid_grant', {})],
  'oauth.authorize.redirect-uri-unknown': [
    authorize('The redirect_uri is not registered.', 400, 'invalid_redirect_uri', { redirect_uri: 'http://127.0.0.1:3000/other' }),
  ],
  'oauth.authorize.client-unknown': [authorize('The client does not exist.', 400, 'invalid_client', { client_id: 'nobody' })],
  'oauth.callback.denied': [authorize('The user declines.', 303, 'access_denied', { login_hint: '+12065550159' })],
} as const satisfies Partial<RefusalTable>;
