import { createHash } from 'node:crypto';
import { type OperationId, operations } from '../../../../src/contract/generated/operations.ts';
import { SERVICE_SCOPES } from '../../../../src/contract/service-scopes.ts';
import { rulesInScope } from '../../../../src/report/scope.ts';
import {
  changeHeaders,
  changeQuery,
  changeTexts,
  createProblemReply,
  createSuccessReply,
  isSuccess,
  OPERATION_IDS,
  type Reply,
  type Request,
  SUCCESS,
  setContentType,
  type TextChange,
} from '../exchange.ts';
import {
  changeRefusal,
  changeReply,
  changeRequest,
  changeSuccess,
  type DerivedMutant,
  type MutantsByRule,
  replaceReply,
  type StartMutant,
} from '../mutant.ts';
import { readClaims } from './world.ts';

const parseForm = ({ text }: Request): TextChange => Object.fromEntries(new URLSearchParams(text));

function parseRedirect({ headers: { location } }: Reply): TextChange {
  return location !== undefined && URL.canParse(location) ? Object.fromEntries(new URL(location).searchParams) : {};
}

function changeRedirect(reply: Reply, change: TextChange): Reply {
  const url = new URL(reply.headers.location ?? '');
  url.search = `${new URLSearchParams(changeTexts(parseRedirect(reply), change))}`;
  return changeHeaders(reply, { location: url.href });
}

const TOKEN_REPLY = createSuccessReply(200, { access_token: 'a-token', token_type: 'Bearer', expires_in: 3600 });

const issueTokenDespiteRefusal = (isSelected: (form: TextChange) => boolean = () => true): StartMutant =>
  changeReply('token', (reply, { request }) => (!isSuccess(reply) && isSelected(parseForm(request)) ? TOKEN_REPLY : undefined));

const issueCodeAndTokenDespiteRefusal: StartMutant = changeReply(['authorize', 'token'], (reply, { request }) => {
  if (parseRedirect(reply).error !== undefined) return changeRedirect(reply, { error: undefined, code: 'a-code' });
  return request.method === 'POST' && !isSuccess(reply) ? TOKEN_REPLY : undefined;
});

const refuseTokenRequests = (isRefused: (form: TextChange) => boolean): StartMutant =>
  replaceReply('token', (request) => (isRefused(parseForm(request)) ? createSuccessReply(400, { error: 'invalid_grant' }) : undefined));
const refuseVerifier = (refused: RegExp): StartMutant => refuseTokenRequests(({ code_verifier = '' }) => refused.test(code_verifier));
const createChallenge = (verifier = ''): string => createHash('sha256').update(verifier).digest('base64url');

const changeCodeRedirects = (change: (state: string) => TextChange): StartMutant =>
  changeReply('authorize', (reply) => {
    const { code, state = '' } = parseRedirect(reply);
    return code === undefined ? undefined : changeRedirect(reply, change(state));
  });
const changeErrorRedirects = (change: TextChange): StartMutant =>
  changeReply('authorize', (reply) => (parseRedirect(reply).error === undefined ? undefined : changeRedirect(reply, change)));

const redirectRefusals: StartMutant = changeReply('authorize', (reply, { request: { query } }) =>
  reply.status >= 400
    ? changeRedirect({ status: 303, headers: { location: query.redirect_uri ?? '' }, text: '' }, { error: 'refused' })
    : undefined,
);

const refuseScope = (scope: string): StartMutant =>
  changeReply('authorize', (reply, { request: { query } }) => {
    const scopes = query.scope?.split(' ') ?? [];
    // Accept a request for all four scopes, because it only prepares a check.
    const isSelected = parseRedirect(reply).code !== undefined && scopes.includes(scope) && scopes.length < 4;
    return isSelected ? changeRedirect(reply, { code: undefined, error: 'invalid_scope' }) : undefined;
  });

const listOperationsWithScope = (scope: string): OperationId[] =>
  OPERATION_IDS.filter((operation) => operations[operation].scope === scope);

/** Whether the token endpoint, not the control API, issued a request's token. */
const hasGrantedToken = (request: Request): boolean => String(readClaims(request).jti).startsWith('grant:');

const refuseGrantedTokens = (scope: string, status: number): StartMutant =>
  replaceReply(listOperationsWithScope(scope), (request) => (hasGrantedToken(request) ? createProblemReply(status) : undefined));
const acceptWithoutScope = (scope: string): StartMutant =>
  changeRefusal(403, listOperationsWithScope(scope), (_, { request }) => (hasGrantedToken(request) ? SUCCESS : undefined));

const isUnsigned = ({ client_assertion = '' }: TextChange): boolean => client_assertion.endsWith('.');

export const oauth = {
  'oauth.pkce.required': { 'Accepts requests without a code_challenge.': issueCodeAndTokenDespiteRefusal },
  'oauth.pkce.plain': {
    'Accepts the code_challenge_method plain.': issueCodeAndTokenDespiteRefusal,
    'Reads a missing code_challenge_method as S256.': changeRequest('authorize', (request) =>
      changeQuery(request, { code_challenge_method: request.query.code_challenge_method ?? 'S256' }),
    ),
  },
  'oauth.pkce.s256': {
    'Compares challenges in base64 instead of base64url.': refuseTokenRequests(({ code_verifier }) =>
      /[-_]/.test(createChallenge(code_verifier)),
    ),
    'Refuses verifiers with punctuation.': refuseVerifier(/[._~]/),
  },
  'oauth.pkce.verifier-length': {
    'Accepts verifiers with fewer than 43 characters.': issueTokenDespiteRefusal(({ code_verifier = '' }) => code_verifier.length < 43),
    'Accepts verifiers with more than 128 characters.': issueTokenDespiteRefusal(({ code_verifier = '' }) => code_verifier.length > 128),
  },
  'oauth.pkce.verifier-lengths-accepted': {
    'Refuses verifiers with 43 characters.': refuseVerifier(/^.{43}$/),
    'Refuses verifiers with 128 characters.': refuseVerifier(/^.{128}$/),
  },
  'oauth.authorize.scopes': Object.fromEntries(
    [...SERVICE_SCOPES, 'offline_access'].map((scope) => [`Refuses the scope ${scope}.`, refuseScope(scope)]),
  ),
  'oauth.authorize.redirect-uri-unknown': { 'Redirects to a redirect_uri that is not registered.': redirectRefusals },
  'oauth.authorize.client-unknown': { 'Redirects although the client is unknown.': redirectRefusals },
  'oauth.callback.code': {
    'Redirects without a code.': changeCodeRedirects(() => ({ code: undefined })),
    'Redirects with both a code and an error.': changeCodeRedirects(() => ({ error: 'access_denied' })),
  },
  'oauth.callback.state': {
    'Sends the state in lower case.': changeCodeRedirects((state) => ({ state: state.toLowerCase() })),
    'Truncates the state to 255 characters.': changeCodeRedirects((state) => ({ state: state.slice(0, 255) })),
    'Replaces plus signs in the state with spaces.': changeCodeRedirects((state) => ({ state: state.replaceAll('+', ' ') })),
  },
  'oauth.callback.denied': {
    'Redirects without the error.': changeErrorRedirects({ error: undefined }),
    'Redirects with both an error and a code.': changeErrorRedirects({ code: 'a-code' }),
    'Redirects without the state.': changeErrorRedirects({ state: undefined }),
  },
  'oauth.clients.assertion-signature': {
    'Accepts unsigned assertions.': issueTokenDespiteRefusal(isUnsigned),
    'Accepts assertions that are signed with an unknown key.': issueTokenDespiteRefusal((form) => !isUnsigned(form)),
  },
  'oauth.token.client-secret': { 'Refuses secrets.': refuseTokenRequests(({ client_secret }) => client_secret !== undefined) },
  'oauth.token.client-assertion': { 'Refuses assertions.': refuseTokenRequests(({ client_assertion }) => client_assertion !== undefined) },
  'oauth.token.works': Object.fromEntries(
    [...SERVICE_SCOPES].map((scope) => [`Refuses tokens with the scope ${scope}.`, refuseGrantedTokens(scope, 403)]),
  ),
  'oauth.token.only-granted-scopes': Object.fromEntries(
    [...SERVICE_SCOPES].map((scope) => [`Accepts tokens without the scope ${scope}.`, acceptWithoutScope(scope)]),
  ),
  'oauth.token.principal': { 'Refuses tokens as if they had no principal.': refuseGrantedTokens('users:manage', 401) },
  'oauth.token.valid-to-its-end': {
    'Refuses tokens after half of their lifetime.': replaceReply('any', async (request, { kit: { control } }) => {
      const { iat, exp } = readClaims(request);
      return hasGrantedToken(request) && (await control.now()) / 1000 > (iat + exp) / 2 ? createProblemReply(401) : undefined;
    }),
    'Accepts expired tokens.': changeRefusal(401, 'any', (_, { request }) => (hasGrantedToken(request) ? SUCCESS : undefined)),
  },
  'oauth.token.type': {
    'Sends JSON as text/plain.': changeSuccess('token', (reply) => setContentType(reply, 'text/plain')),
  },
  'oauth.token.no-store': {
    'Sends no Cache-Control.': changeSuccess('token', (reply) => changeHeaders(reply, { 'cache-control': undefined })),
  },
} satisfies MutantsByRule;

/** Rules that require a refusal by the token endpoint, and have no hand-written mutant. */
const REFUSED_TOKEN_RULES = rulesInScope.filter(({ id }) => /^oauth\.(code\.|clients\.|pkce\.verifier-)/.test(id) && !(id in oauth));

export const tokenRefusals: readonly DerivedMutant[] = REFUSED_TOKEN_RULES.map(({ id: rule }) => ({
  rule,
  description: `Issues a token although ${rule} requires a refusal.`,
  start: issueTokenDespiteRefusal(),
}));
