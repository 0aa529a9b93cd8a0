import { bodyOf, isSuccess, problem, type Reply, type Request, withHeaders, withMembers } from '../exchange.ts';
import { answerInstead, type ByHand, type Kit, type Start } from '../mutant.ts';
import {
  assertionOf,
  changeAuthorize,
  changeExchange,
  changeTokens,
  formOf,
  oauthError,
  onCode,
  onExchange,
  redirect,
  redirectOf,
  withForm,
  withFreshCode,
  withRedirect,
  withRightSecret,
} from './oauth-requests.ts';
import { claimsOf, PRINCIPAL_CLAIM, SCOPES, tokenOf } from './world.ts';

const hasCode = (reply: Reply): boolean => redirectOf(reply).code !== undefined;
const isDenied = (reply: Reply): boolean => redirectOf(reply).error === 'access_denied';
const isRefused = ({ status }: Reply): boolean => status >= 400 && status < 500;

const onApproval = (change: (reply: Reply) => Reply): Start => changeAuthorize((reply) => (hasCode(reply) ? change(reply) : undefined));
const onDenial = (parameters: Readonly<Record<string, string | undefined>>): Start =>
  changeAuthorize((reply) => (isDenied(reply) ? withRedirect(reply, parameters) : undefined));
const changeState = (change: (state: string) => string | undefined, isMeant = hasCode): Start =>
  changeAuthorize((reply) => {
    const { state } = redirectOf(reply);
    return state !== undefined && isMeant(reply) ? withRedirect(reply, { state: change(state) }) : undefined;
  });
const refuseScope = (scope: string): Start =>
  changeAuthorize((reply, { query }) => {
    const scopes = (query.scope ?? '').split(' ');
    // A request with nearly all scopes is one of another check.
    return hasCode(reply) && scopes.includes(scope) && scopes.length < 4
      ? withRedirect(reply, { code: undefined, error: 'invalid_scope' })
      : undefined;
  });
/** Redirects where the kit refuses without a redirect. */
const redirectRefusal = (isMeant: RegExp, parameters: Readonly<Record<string, string>>): Start =>
  changeAuthorize((reply, { query: { redirect_uri: to = '' } }) =>
    isRefused(reply) && URL.canParse(to) && isMeant.test(to) ? redirect(to, parameters) : undefined,
  );

const hasSecret = (request: Request): boolean => formOf(request).client_secret !== undefined;
const hasAssertion = (request: Request): boolean => formOf(request).client_assertion !== undefined;
const hasOnlySecret = (request: Request): boolean => hasSecret(request) && !hasAssertion(request);
const hasOnlyAssertion = (request: Request): boolean => hasAssertion(request) && !hasSecret(request);
const isUnsigned = (request: Request): boolean => /\.$/.test(formOf(request).client_assertion ?? '');
const expiresAt = (request: Request): number => Number(assertionOf(request).exp) * 1000;
const isCurrent = (request: Request): boolean => expiresAt(request) > Date.now();
const isForUs = (request: Request): boolean => String(assertionOf(request).aud).endsWith('/auth/oauth/token');

const compareSecrets = (isRight: (sent: string, right: string) => boolean): Start =>
  changeExchange(async (request, kit) => {
    const right = await withRightSecret(request, kit);
    return hasOnlySecret(request) && isRight(String(formOf(request).client_secret), String(formOf(right).client_secret))
      ? right
      : undefined;
  });
const believeAssertion = (isMeant: (request: Request) => boolean): Start =>
  changeExchange((request, kit) => (hasOnlyAssertion(request) && isMeant(request) ? withRightSecret(request, kit) : undefined));
const failExchange = (status: number, error: string, isMeant: (request: Request) => boolean): Start =>
  onExchange(async (request, service) => (isMeant(request) ? oauthError(status, error) : service(request)));

type Minted = Parameters<Kit['control']['token']>[0];

/** Issues other tokens than the response says. */
const mint = (
  change: (token: Minted & { readonly scopes: string[] }) => { readonly [Member in keyof Minted]?: Minted[Member] | undefined },
): Start =>
  changeTokens(async (reply, { control }) => {
    const { client_id: client, scope, [PRINCIPAL_CLAIM]: principal } = claimsOf(bodyOf(reply).access_token);
    const token = {
      client,
      principal,
      scopes: String(scope).split(' ') as never,
      kind: 'good' as const,
      expiresIn: Number(bodyOf(reply).expires_in),
    };
    const minted = Object.entries({ ...token, ...change(token) }).filter(([, value]) => value !== undefined);
    return withMembers(reply, { access_token: await control.token(Object.fromEntries(minted) as Minted) });
  });
const addScopes = (added: readonly string[]): Start => mint(({ scopes }) => ({ scopes: [...new Set([...scopes, ...added])] as never }));
const dropScope = (dropped: string): Start =>
  mint(({ scopes }) => ({
    scopes: (scopes.length === 1 && scopes[0] === dropped ? SCOPES : scopes).filter((scope) => scope !== dropped) as never,
  }));

const withHeader = (name: string, value: string | undefined): Start => changeTokens((reply) => withHeaders(reply, { [name]: value }));

const repeatTokens: Start = () => {
  const given = new Map<string | undefined, Reply>();
  return onExchange(async (request, service) => {
    const { code } = formOf(request);
    const reply = given.get(code) ?? (await service(request));
    if (isSuccess(reply)) given.set(code, reply);
    return reply;
  })();
};
const renewCode = (refusal: RegExp): Start =>
  onCode(async ({ own }, request, service) => {
    const reply = await service(request);
    return !isSuccess(reply) && refusal.test(reply.text) && own ? withFreshCode(request, own, service) : reply;
  });
const compareRedirects = (isSame: (sent: string, right: string) => boolean): Start =>
  onCode(async ({ own }, request, service) => {
    const right = own?.query.redirect_uri ?? '';
    return service(own && isSame(formOf(request).redirect_uri ?? '', right) ? withForm(request, { redirect_uri: right }) : request);
  });
const acceptUnknownCode = (isMeant: (code: string) => boolean): Start =>
  onCode(async ({ own, last }, request, service) =>
    !own && last && isMeant(formOf(request).code ?? '') ? withFreshCode(request, last, service) : service(request),
  );
const UUID = /^[\da-f-]{36}$/;

export const oauth = {
  'oauth.authorize.scopes': Object.fromEntries(
    [...SCOPES, 'offline_access'].map((scope) => [`Refuses the scope ${scope}.`, refuseScope(scope)]),
  ),
  'oauth.callback.code': {
    'Redirects without a code.': onApproval((reply) => withRedirect(reply, { code: undefined })),
    'Calls the code authorization_code.': onApproval((reply) =>
      withRedirect(reply, { code: undefined, authorization_code: redirectOf(reply).code }),
    ),
    'Sends the code in the fragment.': onApproval((reply) => withHeaders(reply, { location: reply.headers.location?.replace('?', '#') })),
    'Redirects to the root of the host.': onApproval((reply) =>
      withHeaders(reply, { location: reply.headers.location?.replace('/callback?', '/?') }),
    ),
    'Fails if the user approves.': onApproval(() => problem(500)),
    'Sends an error beside the code.': onApproval((reply) => withRedirect(reply, { error: 'access_denied' })),
  },
  'oauth.callback.state': {
    'Sends no state.': changeState(() => undefined),
    'Sends no state with an error.': changeState(() => undefined, isDenied),
    'Sends the state in lower case.': changeState((state) => state.toLowerCase()),
    'Cuts the state at 255 characters.': changeState((state) => state.slice(0, 255)),
    'Decodes a plus in the state.': changeState((state) => state.replaceAll('+', ' ')),
    'Decodes the state twice.': changeState((state) => state.replaceAll('%20', ' ')),
    'Ends the state at an ampersand.': changeState((state) => state.split('&')[0]),
  },
  'oauth.callback.denied': {
    'Sends a code.': onDenial({ error: undefined, error_description: undefined, code: 'a-code' }),
    'Sends no error.': onDenial({ error: undefined }),
    'Sends a code beside the error.': onDenial({ code: 'a-code' }),
  },
  'oauth.authorize.redirect-uri-unknown': {
    'Redirects errors anywhere.': redirectRefusal(/./, { error: 'invalid_request' }),
    'Compares how the address starts.': redirectRefusal(/^http:\/\/127\.0\.0\.1:3000\/callback/, { code: 'a-code' }),
    'Compares paths only.': redirectRefusal(/^https:\/\/elsewhere/, { code: 'a-code' }),
  },
  'oauth.authorize.client-unknown': {
    'Redirects an unknown client.': redirectRefusal(/^http:\/\/127\.0\.0\.1:3000\/callback$/, { error: 'unauthorized_client' }),
  },
  'oauth.clients.confidential-only': {
    'Serves public clients.': changeExchange((request, kit) =>
      hasSecret(request) || hasAssertion(request) ? undefined : withRightSecret(request, kit),
    ),
  },
  'oauth.token.client-secret': {
    'Refuses the secret in the body.': failExchange(401, 'invalid_client', hasOnlySecret),
    'Ignores the secret in the body.': changeExchange((request) =>
      hasOnlySecret(request) ? withForm(request, { client_secret: undefined }) : undefined,
    ),
  },
  'oauth.token.client-assertion': {
    'Refuses assertions.': failExchange(401, 'invalid_client', hasOnlyAssertion),
    'Fails on assertions.': failExchange(500, 'server_error', hasOnlyAssertion),
  },
  'oauth.clients.both-methods': {
    'Prefers the secret.': changeExchange((request) =>
      hasSecret(request) && hasAssertion(request)
        ? withForm(request, { client_assertion: undefined, client_assertion_type: undefined })
        : undefined,
    ),
    'Prefers the assertion.': changeExchange((request) =>
      hasSecret(request) && hasAssertion(request) ? withForm(request, { client_secret: undefined }) : undefined,
    ),
  },
  'oauth.clients.wrong-secret': {
    'Accepts every secret.': compareSecrets(() => true),
    'Accepts a secret that goes on.': compareSecrets((sent, right) => sent.startsWith(right)),
    'Accepts the start of the secret.': compareSecrets((sent, right) => right.startsWith(sent)),
    'Compares lengths.': compareSecrets((sent, right) => sent.length === right.length),
  },
  'oauth.clients.assertion-signature': {
    'Does not verify signatures.': believeAssertion((request) => isCurrent(request) && isForUs(request)),
    'Accepts the algorithm none.': believeAssertion(isUnsigned),
    'Accepts every key.': believeAssertion((request) => !isUnsigned(request) && isCurrent(request) && isForUs(request)),
  },
  'oauth.clients.assertion-expired': {
    'Accepts expired assertions.': believeAssertion((request) => !isCurrent(request)),
    'Accepts assertions for an hour longer.': believeAssertion(
      (request) => !isCurrent(request) && expiresAt(request) > Date.now() - 3_600_000,
    ),
  },
  'oauth.clients.assertion-audience': {
    'Accepts every audience.': believeAssertion((request) => !isForUs(request)),
    'Accepts every token endpoint as audience.': believeAssertion(
      (request) => String(assertionOf(request).aud).endsWith('/oauth/token') && !isForUs(request),
    ),
  },
  'oauth.token.expires-in': {
    'Says when and not how long.': changeTokens((reply) => withMembers(reply, { expires_in: '2030-01-01T00:00:00Z' })),
  },
  'oauth.token.works': {
    'Signs with an unknown key.': changeTokens((reply) =>
      withMembers(reply, { access_token: `${bodyOf(reply).access_token.slice(0, -8)}AAAAAAAA` }),
    ),
    ...Object.fromEntries(SCOPES.map((scope) => [`Forgets the scope ${scope}.`, dropScope(scope)])),
  },
  'oauth.token.valid-to-its-end': {
    'Issues tokens for half the time.': mint(({ expiresIn = 0 }) => ({ expiresIn: Math.ceil(expiresIn / 2) })),
    'Issues tokens for twice the time.': mint(({ expiresIn = 0 }) => ({ expiresIn: expiresIn * 2 })),
    'Answers 403 to an expired token.': answerInstead('any', async (request, { control }) => {
      const { exp, jti } = claimsOf(tokenOf(request));
      return String(jti).startsWith('grant:') && Number(exp) * 1000 <= (await control.now()) ? problem(403) : undefined;
    }),
  },
  'oauth.token.only-granted-scopes': {
    'Grants all scopes.': addScopes(SCOPES),
    ...Object.fromEntries(SCOPES.map((scope) => [`Always grants ${scope}.`, addScopes([scope])])),
  },
  'oauth.token.principal': { 'Forgets the principal.': mint(() => ({ principal: undefined })) },
  'oauth.token.type': {
    'Calls the access token token.': changeTokens((reply) =>
      withMembers(reply, { access_token: undefined, token: bodyOf(reply).access_token }),
    ),
    'Sends JSON as text/plain.': withHeader('content-type', 'text/plain'),
    'Sends a form.': changeTokens((reply) => ({
      ...withHeaders(reply, { 'content-type': 'application/x-www-form-urlencoded' }),
      text: new URLSearchParams(bodyOf(reply)).toString(),
    })),
    'Sends scopes as a list.': changeTokens((reply) => withMembers(reply, { scope: SCOPES })),
    'Sends the type MAC.': changeTokens((reply) => withMembers(reply, { token_type: 'MAC' })),
  },
  'oauth.token.no-store': {
    'Sends no Cache-Control.': withHeader('cache-control', undefined),
    'Sends no-cache.': withHeader('cache-control', 'no-cache'),
    'Allows storing for an hour.': withHeader('cache-control', 'private, max-age=3600'),
  },
  'oauth.code.single-use': { 'Repeats the token.': repeatTokens, 'Issues a new token.': renewCode(/used before/) },
  'oauth.code.short-lived': { 'Accepts expired codes.': renewCode(/expired/) },
  'oauth.code.client': {
    'Accepts codes of other clients.': onCode(async ({ own }, request, service, kit) => {
      const issuedTo = own?.query.client_id;
      return service(
        issuedTo !== undefined && issuedTo !== formOf(request).client_id ? await withRightSecret(request, kit, issuedTo) : request,
      );
    }),
  },
  'oauth.code.redirect-uri': {
    'Accepts every redirect_uri.': compareRedirects(() => true),
    'Compares how redirect_uri starts.': compareRedirects((sent, right) => sent.startsWith(right)),
    'Compares the path of redirect_uri.': compareRedirects((sent, right) => sent.endsWith(right.replace(/^\w+:\/\/[^/]+/, ''))),
  },
  'oauth.code.unknown': {
    'Accepts every UUID.': acceptUnknownCode((code) => UUID.test(code)),
    'Accepts every other code.': acceptUnknownCode((code) => !UUID.test(code)),
  },
} satisfies ByHand;
