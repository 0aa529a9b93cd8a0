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

const createAuthorizeScenario = (title: string, changes: ParameterChanges, status: number, answer: string): Scenario => ({
  title,
  request: {
    path: buildAuthorizePath(changeParameters(AUTHORIZE_PARAMETERS, changes)),
    token: 'none',
  },
  status,
  answer,
});
const createTokenScenario = (
  title: string,
  changes: ParameterChanges,
  status: number,
  answer: string,
  authorization?: ParameterChanges,
): Scenario => ({
  title,
  ...(authorization && { authorization: changeParameters(AUTHORIZE_PARAMETERS, authorization) }),
  request: {
    method: 'POST',
    path: '/auth/oauth/token',
    token: 'none',
    form: changeParameters(TOKEN_PARAMETERS, { code: authorization ? '$CODE' : 'unknown', ...changes }),
  },
  status,
  answer,
});
const createVerifierScenario = (title: string, verifier: string) =>
  createTokenScenario(title, { code_verifier: verifier }, 400, 'invalid_request', { code_challenge: computeChallenge(verifier) });

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const encodeJwtPart = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const UNSIGNED_ASSERTION = `${encodeJwtPart({ alg: 'none' })}.${encodeJwtPart({ iss: 'nobody', sub: 'nobody', aud: 'nobody' })}.`;
const NEEDS_SIGNED_ASSERTION =
  'The request needs a signed assertion. Sign one with xpk assertion --client acme-signer --key fixtures/keys/acme-signer.private.jwk.json';

export const oauthScenarios = {
  'oauth.pkce.required': [
    createAuthorizeScenario(
      'The authorization request has no code_challenge.',
      { code_challenge: undefined, code_challenge_method: undefined },
      303,
      'invalid_request',
    ),
  ],
  'oauth.pkce.plain': [
    createAuthorizeScenario('The code_challenge_method is plain.', { code_challenge_method: 'plain' }, 303, 'invalid_request'),
  ],
  'oauth.pkce.verifier-length': [
    createVerifierScenario('The code_verifier has 42 characters.', 'a'.repeat(42)),
    createVerifierScenario('The code_verifier has 129 characters.', 'a'.repeat(129)),
  ],
  'oauth.pkce.verifier-alphabet': [createVerifierScenario('The code_verifier has spaces.', 'a '.repeat(30))],
  'oauth.pkce.verifier-missing': [
    createTokenScenario('The token request has no code_verifier.', { code_verifier: undefined }, 400, 'invalid_grant', {}),
  ],
  'oauth.pkce.verifier-wrong': [
    createTokenScenario(
      'The code_verifier does not match the code_challenge.',
      { code_verifier: 'a'.repeat(43) },
      400,
      'invalid_grant',
      {},
    ),
  ],
  'oauth.clients.confidential-only': [
    createTokenScenario('The client does not authenticate.', { client_secret: undefined }, 401, 'invalid_client'),
  ],
  'oauth.clients.both-methods': [
    createTokenScenario(
      'The client sends its secret and an assertion.',
      { client_assertion_type: ASSERTION_TYPE, client_assertion: UNSIGNED_ASSERTION },
      400,
      'invalid_request',
    ),
  ],
  'oauth.clients.wrong-secret': [createTokenScenario('The secret is wrong.', { client_secret: 'not-the-secret' }, 401, 'invalid_client')],
  'oauth.clients.assertion-signature': { reason: `${NEEDS_SIGNED_ASSERTION}, and change the last characters of the assertion` },
  'oauth.clients.assertion-expired': { reason: `${NEEDS_SIGNED_ASSERTION} --expires 1, and send it after a second` },
  'oauth.clients.assertion-audience': { reason: `${NEEDS_SIGNED_ASSERTION} --audience https://other.example` },
  'oauth.code.single-use': { reason: 'Exchange the same code twice.' },
  'oauth.code.short-lived': { reason: 'The code must be an hour old. Request a code, then run xpk clock advance 1h' },
  'oauth.code.ten-minutes': { reason: 'The code must be ten minutes old. Request a code, then run xpk clock advance 10m' },
  'oauth.code.client': [
    createTokenScenario(
      'The code was issued to another client.',
      { client_id: '{clients/acme-worker-1}', client_secret: 'demo-secret-acme-worker-1' },
      400,
      'invalid_grant',
      {},
    ),
  ],
  'oauth.code.redirect-uri': [
    createTokenScenario(
      'The redirect_uri differs from the one in the authorization request.',
      { redirect_uri: 'http://localhost:3000/callback' },
      400,
      'invalid_grant',
      {},
    ),
  ],
  'oauth.code.unknown': [createTokenScenario('The code was never issued.', {}, 400, 'invalid_grant')],
  'oauth.authorize.redirect-uri-unknown': [
    createAuthorizeScenario(
      'The redirect_uri is not registered.',
      { redirect_uri: 'http://127.0.0.1:3000/other' },
      400,
      'invalid_redirect_uri',
    ),
  ],
  'oauth.authorize.client-unknown': [createAuthorizeScenario('The client does not exist.', { client_id: 'nobody' }, 400, 'invalid_client')],
  'oauth.callback.denied': [createAuthorizeScenario('The user declines.', { login_hint: '+12065550159' }, 303, 'access_denied')],
} as const satisfies Partial<RefusalTable>;
