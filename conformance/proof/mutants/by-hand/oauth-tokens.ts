import { bodyOf, problem, type Request, withHeaders, withMembers } from '../exchange.ts';
import { answerInstead, type ByHand, type Kit, type Start } from '../mutant.ts';
import { assertionOf, changeExchange, changeTokens, formOf, oauthError, onExchange, withForm, withRightSecret } from './oauth-requests.ts';
import { claimsOf, PRINCIPAL_CLAIM, SCOPES, tokenOf } from './world.ts';

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

export const oauthTokens = {
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
  },
  'oauth.clients.assertion-audience': {
    'Accepts every audience.': believeAssertion((request) => !isForUs(request)),
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
    'Sends the type MAC.': changeTokens((reply) => withMembers(reply, { token_type: 'MAC' })),
  },
  'oauth.token.no-store': {
    'Sends no Cache-Control.': withHeader('cache-control', undefined),
    'Sends no-cache.': withHeader('cache-control', 'no-cache'),
  },
} satisfies ByHand;
