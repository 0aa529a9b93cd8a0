import { createHash } from 'node:crypto';
import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import { operations } from '../../../../src/contract/generated/operations.ts';
import { isSuccess, problem, type Reply, type Request, SUCCESS, success, withHeaders } from '../exchange.ts';
import { answerInstead, type ByHand, changeRefusal, changeReply, changeSuccess, type Start } from '../mutant.ts';
import { claimsOf, SCOPES, tokenOf } from './world.ts';

type Parameters = Readonly<Record<string, string | undefined>>;

/** The parameters of a token request. */
const formOf = ({ text }: Request): Parameters => Object.fromEntries(new URLSearchParams(text));

/** The parameters of a redirect; `{}` if it is not one. */
function redirectOf({ headers: { location } }: Reply): Parameters {
  return location !== undefined && URL.canParse(location) ? Object.fromEntries(new URL(location).searchParams) : {};
}

/** The redirect with other parameters; undefined removes one. */
function withRedirect(reply: Reply, change: Parameters): Reply {
  const url = new URL(reply.headers.location ?? '');
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return withHeaders(reply, { location: url.href });
}

const TOKEN = success(200, { access_token: 'a-token', token_type: 'Bearer', expires_in: 3600 });

/** Gives a token where the kit refuses a token request. */
const give = (isMeant: (form: Parameters) => boolean = () => true): Start =>
  changeReply('token', (reply, { request }) => (!isSuccess(reply) && isMeant(formOf(request)) ? TOKEN : undefined));

/** Gives a code where the kit refuses an authorization request, and then a token. */
const giveBoth: Start = changeReply(['authorize', 'token'], (reply, { request }) => {
  if (redirectOf(reply).error !== undefined) return withRedirect(reply, { error: undefined, code: 'a-code' });
  return request.method === 'POST' && !isSuccess(reply) ? TOKEN : undefined;
});

/** Refuses token requests. */
const refuse = (isRefused: (form: Parameters) => boolean): Start =>
  answerInstead('token', (request) => (isRefused(formOf(request)) ? success(400, { error: 'invalid_grant' }) : undefined));
const refuseVerifier = (refused: RegExp): Start => refuse(({ code_verifier = '' }) => refused.test(code_verifier));
const challengeOf = (verifier = ''): string => createHash('sha256').update(verifier).digest('base64url');

/** Changes redirects with a code. */
const onCode = (change: (state: string) => Parameters): Start =>
  changeReply('authorize', (reply) => {
    const { code, state = '' } = redirectOf(reply);
    return code === undefined ? undefined : withRedirect(reply, change(state));
  });
/** Changes redirects with an error. */
const onError = (change: Parameters): Start =>
  changeReply('authorize', (reply) => (redirectOf(reply).error === undefined ? undefined : withRedirect(reply, change)));

/** Redirects to the redirect_uri of the request where the kit refuses without a redirect. */
const redirectRefusals: Start = changeReply('authorize', (reply, { request: { query } }) =>
  reply.status >= 400
    ? withRedirect({ status: 303, headers: { location: query.redirect_uri ?? '' }, text: '' }, { error: 'refused' })
    : undefined,
);

const refuseScope = (scope: string): Start =>
  changeReply('authorize', (reply, { request: { query } }) => {
    const scopes = query.scope?.split(' ') ?? [];
    // A request for nearly all scopes only shows that the client works.
    const isMeant = redirectOf(reply).code !== undefined && scopes.includes(scope) && scopes.length < 4;
    return isMeant ? withRedirect(reply, { code: undefined, error: 'invalid_scope' }) : undefined;
  });

/** The operations that need a scope. */
const operationsOf = (needed: string): OperationId[] =>
  (Object.keys(operations) as OperationId[]).filter((operation) => operations[operation].scope === needed);

/** Whether the token comes from a token response. */
const isGranted = (request: Request): boolean => String(claimsOf(tokenOf(request)).jti).startsWith('grant:');

const refuseGranted = (scope: string, status: number): Start =>
  answerInstead(operationsOf(scope), (request) => (isGranted(request) ? problem(status) : undefined));
const acceptGranted = (scope: string): Start =>
  changeRefusal(403, operationsOf(scope), (_, { request }) => (isGranted(request) ? SUCCESS : undefined));

const isUnsigned = ({ client_assertion = '' }: Parameters): boolean => client_assertion.endsWith('.');

export const oauth = {
  'oauth.pkce.required': { 'Needs no challenge.': giveBoth },
  'oauth.pkce.plain': { 'Accepts the method plain.': giveBoth },
  'oauth.pkce.s256': {
    'Compares base64.': refuse(({ code_verifier }) => /[-_]/.test(challengeOf(code_verifier))),
    'Refuses verifiers with punctuation.': refuseVerifier(/[._~]/),
  },
  'oauth.pkce.verifier-length': {
    'Accepts short verifiers.': give(({ code_verifier = '' }) => code_verifier.length < 43),
    'Accepts long verifiers.': give(({ code_verifier = '' }) => code_verifier.length > 128),
  },
  'oauth.pkce.verifier-alphabet': { 'Accepts all characters.': give() },
  'oauth.pkce.verifier-lengths-accepted': {
    'Refuses 43 characters.': refuseVerifier(/^.{43}$/),
    'Refuses 128 characters.': refuseVerifier(/^.{128}$/),
  },
  'oauth.pkce.verifier-missing': { 'Verifies a verifier only if there is one.': give() },
  'oauth.pkce.verifier-wrong': { 'Accepts every verifier.': give() },
  'oauth.authorize.scopes': Object.fromEntries(
    [...SCOPES, 'offline_access'].map((scope) => [`Refuses the scope ${scope}.`, refuseScope(scope)]),
  ),
  'oauth.authorize.redirect-uri-unknown': { 'Redirects to every address.': redirectRefusals },
  'oauth.authorize.client-unknown': { 'Redirects unknown clients.': redirectRefusals },
  'oauth.callback.code': {
    'Redirects without a code.': onCode(() => ({ code: undefined })),
    'Sends an error beside the code.': onCode(() => ({ error: 'access_denied' })),
  },
  'oauth.callback.state': {
    'Sends no state with an error.': onError({ state: undefined }),
    'Sends the state in lower case.': onCode((state) => ({ state: state.toLowerCase() })),
    'Cuts the state at 255 characters.': onCode((state) => ({ state: state.slice(0, 255) })),
    'Decodes a plus in the state.': onCode((state) => ({ state: state.replaceAll('+', ' ') })),
  },
  'oauth.callback.denied': {
    'Sends no error.': onError({ error: undefined }),
    'Sends a code beside the error.': onError({ code: 'a-code' }),
  },
  'oauth.code.single-use': { 'Exchanges a code again.': give() },
  'oauth.code.short-lived': { 'Exchanges old codes.': give() },
  'oauth.code.client': { 'Exchanges codes of other clients.': give() },
  'oauth.code.redirect-uri': { 'Accepts every redirect_uri.': give() },
  'oauth.code.unknown': { 'Accepts every code.': give() },
  'oauth.clients.confidential-only': { 'Serves public clients.': give() },
  'oauth.clients.both-methods': { 'Accepts both methods at once.': give() },
  'oauth.clients.wrong-secret': { 'Accepts every secret.': give() },
  'oauth.clients.assertion-signature': {
    'Accepts unsigned assertions.': give(isUnsigned),
    'Accepts every key.': give((form) => !isUnsigned(form)),
  },
  'oauth.clients.assertion-expired': { 'Accepts expired assertions.': give() },
  'oauth.clients.assertion-audience': { 'Accepts every audience.': give() },
  'oauth.token.client-secret': { 'Refuses secrets.': refuse(({ client_secret }) => client_secret !== undefined) },
  'oauth.token.client-assertion': { 'Refuses assertions.': refuse(({ client_assertion }) => client_assertion !== undefined) },
  'oauth.token.works': Object.fromEntries(SCOPES.map((scope) => [`Forgets the scope ${scope}.`, refuseGranted(scope, 403)])),
  'oauth.token.only-granted-scopes': Object.fromEntries(SCOPES.map((scope) => [`Grants the scope ${scope}.`, acceptGranted(scope)])),
  'oauth.token.principal': { 'Forgets the principal.': refuseGranted('users:manage', 401) },
  'oauth.token.valid-to-its-end': {
    'Refuses tokens after half their time.': answerInstead('any', async (request, { control }) => {
      const { iat, exp } = claimsOf(tokenOf(request));
      return isGranted(request) && (await control.now()) / 1000 > (iat + exp) / 2 ? problem(401) : undefined;
    }),
    'Accepts expired tokens.': changeRefusal(401, 'any', (_, { request }) => (isGranted(request) ? SUCCESS : undefined)),
  },
  'oauth.token.type': {
    'Sends JSON as text/plain.': changeSuccess('token', (reply) => withHeaders(reply, { 'content-type': 'text/plain' })),
  },
  'oauth.token.no-store': {
    'Sends no Cache-Control.': changeSuccess('token', (reply) => withHeaders(reply, { 'cache-control': undefined })),
  },
} satisfies ByHand;
