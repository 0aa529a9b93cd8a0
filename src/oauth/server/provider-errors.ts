import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { gates } from '../../contract/generated/gates.ts';
import { clientById } from '../../store/authorization.ts';
import { isUnavailable } from '../../store/errors.ts';
import type { AuthorizationContext } from './context.ts';
import { describable, type OAuthError, sendOAuthError } from './oauth-error.ts';
import { sendRefusalPage, wantsPage } from './page.ts';
import { BASIC_CHALLENGE } from './token-request.ts';

const UNEXPECTED: OAuthError = {
  status: 500,
  error: 'server_error',
  description: 'The authorization server failed while it handled the request; the log of the kit has the cause with the trace id.',
};

const UNAVAILABLE: OAuthError = {
  status: 503,
  error: 'temporarily_unavailable',
  description: gates['http.unavailable'].text,
  headers: { 'Retry-After': '1' },
};

/** Answers every error of the library in the kit's own words and form, after the library has handled the request. Logs unexpected errors. */
export function providerErrors(context: AuthorizationContext) {
  const redirected = new WeakMap<object, OAuthError>();
  const answers = new WeakMap<object, OAuthError>();

  return {
    /** The library's `renderError`. */
    async renderError(ctx: KoaContextWithOIDC, _out: unknown, error: Error): Promise<void> {
      // The listener for server_error has already handled unexpected errors.
      if (answers.has(ctx)) return;
      const answer = toOAuthError(error as errors.OIDCProviderError);
      const remedy = error instanceof errors.InvalidRedirectUri ? await registrationRemedy(ctx, context) : undefined;
      answers.set(ctx, { ...answer, remedy });
    },

    /** Installs the listeners and the middleware that sends the answers. */
    attachTo(provider: Provider): void {
      provider.on('authorization.error', (ctx, error) => void redirected.set(ctx, toOAuthError(error)));
      provider.on('grant.error', (ctx, error) => {
        const challenge = error.statusCode === 401 && ctx.res.req.headers.authorization !== undefined ? BASIC_CHALLENGE : {};
        answers.set(ctx, { ...toOAuthError(error), headers: challenge });
      });
      provider.on('server_error', (ctx, error) => {
        context.log(error, ctx.res.req);
        answers.set(ctx, isUnavailable(error) ? UNAVAILABLE : UNEXPECTED);
      });
      // Koa writes errors to the console unless there is a listener.
      (provider as EventEmitter).on('error', (error: unknown, ctx?: { res?: { req: IncomingMessage } }) => {
        if (ctx?.res) context.log(error, ctx.res.req);
      });
      provider.use(async (ctx, next) => {
        await next();
        if (ctx.status === 303) rewriteLocation(ctx, redirected.get(ctx));
        const error = answers.get(ctx);
        if (error === undefined) return;
        ctx.respond = false;
        // `ctx.res.req` is the request as it was received, `ctx.req` the one created for the library.
        if (ctx.oidc?.route !== 'token' && wantsPage(ctx.res.req)) sendRefusalPage(ctx.res, error);
        else sendOAuthError(context, ctx.res, error);
      });
    },
  };
}

type Context = Parameters<Parameters<Provider['use']>[0]>[0];

/** Replaces the library's description in a redirect, and removes the library's page about the redirect. */
function rewriteLocation(ctx: Context, error: OAuthError | undefined): void {
  ctx.body = '';
  if (error === undefined) return;
  const location = new URL(ctx.response.get('Location'));
  // For a response_type other than code the library puts the error into the fragment. This server always uses the query.
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) location.searchParams.set(name, value);
  location.hash = '';
  location.searchParams.set('error_description', describable(error.description));
  ctx.set('Location', location.href);
}

function toOAuthError(error: errors.OIDCProviderError): OAuthError {
  return { status: error.statusCode, error: error.error, description: describe(error) };
}

/** URIs that a client can register, without characters that would need escaping in a shell or an error_description. */
const REGISTRABLE = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:[/?](?:[\w.~:@!$&()*+,;=/?-]|%[\da-f]{2})*)?$/i;

/** The command that registers the redirect_uri of a request; undefined if it would not work. */
async function registrationRemedy({ oidc }: KoaContextWithOIDC, { store, control }: AuthorizationContext): Promise<OAuthError['remedy']> {
  const uri = String(oidc.params?.redirect_uri);
  if (!control || !REGISTRABLE.test(uri) || !URL.canParse(uri)) return undefined;
  const client = await clientById.first(store.db, { id: String(oidc.client?.clientId) });
  if (client === undefined) return undefined;
  const baseUrl = oidc.provider.issuer.replace(/\/auth$/, '');
  const name = /^\w[\w.-]*$/.test(client.alias) ? client.alias : client.id;
  return { text: 'To register it, run:', command: `xpk state set clients ${name} 'redirectUris+=${uri}' --url '${baseUrl}'` };
}

const WRONG_AUDIENCE = 'The audience (aud) of the client_assertion must be the issuer or the address of the token endpoint.';

/** Sentences for developers in place of the library's messages, which are mostly for its log. Messages not listed here are clear enough. */
const SENTENCES: Readonly<Record<string, string>> = {
  'client not found': 'There is no client with this client_id.',
  "redirect_uri did not match any of the client's registered redirect_uris": 'The redirect_uri is not registered for the client.',
  'code_challenge_method must be provided': 'The parameter code_challenge_method is missing: it must be S256.',
  'not supported value of code_challenge_method': 'The code_challenge_method must be S256.',
  'code_challenge must be provided with code_challenge_method': 'The parameter code_challenge is missing: PKCE is required.',
  'Authorization Server policy requires PKCE to be used for this request':
    'The parameters code_challenge and code_challenge_method=S256 are missing: PKCE is required.',
  'unsupported response_type requested': 'The response_type must be code.',
  'requested response_type is not allowed for this client': 'The client has no redirect URIs, so it cannot receive codes.',
  'invalid secret provided': 'The client_secret is wrong.',
  'client_id mismatch': 'The client_id must be the sub of the client_assertion.',
  'client mismatch': 'The code or refresh token was issued to another client.',
  'authorization code not found': 'The code does not exist: it was never issued, or its grant was revoked.',
  'authorization code is expired': 'The code has expired.',
  'authorization code redirect_uri mismatch': 'The redirect_uri differs from the one in the authorization request.',
  'code_verifier must be provided': 'The parameter code_verifier is missing: the authorization request had a code_challenge.',
  'code_verifier does not match code_challenge': 'The code_verifier does not match the code_challenge of the authorization request.',
  'refresh token not found': 'The refresh token does not exist: it was never issued, or was revoked.',
  'refresh token is expired': 'The refresh token has expired.',
  'refresh token missing requested scope': 'A requested scope was not granted to the refresh token.',
  'refresh token missing requested scopes': 'Some requested scopes were not granted to the refresh token.',
  'grant not found': 'The grant was revoked.',
  'grant is expired': 'The grant has expired; its refresh tokens cannot extend it.',
  'invalid client_assertion format': 'The client_assertion is not a JWT.',
  'alg mismatch': 'The client_assertion must be signed with a public-key algorithm (alg).',
  'signature verification failed': 'The signature of the client_assertion was not made with the registered key of the client.',
  'no applicable key found in the JSON Web Key Set':
    'The key and algorithm (kid, alg) of the client_assertion are not the ones registered for the client.',
  'jwt expired': 'The client_assertion has expired (exp) in wall time.',
  'jwt not active yet': 'The client_assertion is not valid yet (nbf) in wall time.',
  'audience (aud) must equal the endpoint url, issuer identifier or token endpoint url': WRONG_AUDIENCE,
  'list of audience (aud) must include the endpoint url, issuer identifier or token endpoint url': WRONG_AUDIENCE,
};

function describe({ error_detail: detail, error_description: description, message }: errors.OIDCProviderError): string {
  const sentence = SENTENCES[detail ?? ''] ?? SENTENCES[description ?? ''];
  if (sentence !== undefined) return sentence;
  const text = detail ?? description ?? message;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
