import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { gates } from '../../contract/generated/gates.ts';
import { clientById } from '../../store/authorization.ts';
import { isUnavailable } from '../../store/errors.ts';
import { BASIC_CHALLENGE } from './basic.ts';
import type { AuthorizationContext } from './context.ts';
import { describable, type OAuthError, sendOAuthError } from './oauth-error.ts';
import { sendRefusalPage, wantsPage } from './send-page.ts';
import { inWords } from './words.ts';

const UNEXPECTED: OAuthError = {
  status: 500,
  error: 'server_error',
  description: 'The authorization server failed while it handled the request; the log of the kit has the cause under the trace id.',
};

const UNAVAILABLE: OAuthError = {
  status: 503,
  error: 'temporarily_unavailable',
  description: gates['http.unavailable'].text,
  headers: { 'Retry-After': '1' },
};

/** Every error of the library is told in our own words and form, once the library is done with the request. What nobody expected goes to the log. */
export function providerErrors(context: AuthorizationContext) {
  const redirected = new WeakMap<object, OAuthError>();
  const found = new WeakMap<object, OAuthError>();

  return {
    /** The library's `renderError`. */
    async renderError(ctx: KoaContextWithOIDC, _out: unknown, error: Error): Promise<void> {
      // What nobody expected has come as a server_error before.
      if (found.has(ctx)) return;
      const answer = told(error as errors.OIDCProviderError);
      const remedy = error instanceof errors.InvalidRedirectUri ? await howToRegister(ctx, context) : undefined;
      found.set(ctx, { ...answer, remedy });
    },

    answerFor(provider: Provider): void {
      provider.on('authorization.error', (ctx, error) => void redirected.set(ctx, told(error)));
      provider.on('grant.error', (ctx, error) => {
        const challenge = error.statusCode === 401 && ctx.res.req.headers.authorization !== undefined ? BASIC_CHALLENGE : {};
        found.set(ctx, { ...told(error), headers: challenge });
      });
      provider.on('server_error', (ctx, error) => {
        context.log(error, ctx.res.req);
        found.set(ctx, isUnavailable(error) ? UNAVAILABLE : UNEXPECTED);
      });
      // Koa's own, which writes to the console where nobody listens.
      (provider as EventEmitter).on('error', (error: unknown, ctx?: { res?: { req: IncomingMessage } }) => {
        if (ctx?.res) context.log(error, ctx.res.req);
      });
      provider.use(async (ctx, next) => {
        await next();
        if (ctx.status === 303) tellInLocation(ctx, redirected.get(ctx));
        const error = found.get(ctx);
        if (error === undefined) return;
        ctx.respond = false;
        // The request that came, not the one that was made of it for the library.
        if (ctx.oidc?.route !== 'token' && wantsPage(ctx.res.req)) sendRefusalPage(ctx.res, error);
        else sendOAuthError(context, ctx.res, error);
      });
    },
  };
}

type Context = Parameters<Parameters<Provider['use']>[0]>[0];

/** The library's words to ours, and no page that says where the redirect leads: the header does. */
function tellInLocation(ctx: Context, error: OAuthError | undefined): void {
  ctx.body = '';
  if (error === undefined) return;
  const location = new URL(ctx.response.get('Location'));
  // An error of another response_type than code comes behind a #. Here all answers are in the query.
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) location.searchParams.set(name, value);
  location.hash = '';
  location.searchParams.set('error_description', describable(error.description));
  ctx.set('Location', location.href);
}

function told(error: errors.OIDCProviderError): OAuthError {
  return { status: error.statusCode, error: error.error, description: inWords(error) };
}

/** URIs that a client of the world may have. Without quotes and backslashes: a shell and an error_description take them as they are. */
const REGISTRABLE = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:[/?](?:[\w.~:@!$&()*+,;=/?-]|%[\da-f]{2})*)?$/i;

/** The command that registers the redirect_uri of a request. Undefined if it would not work. */
async function howToRegister({ oidc }: KoaContextWithOIDC, { store, control }: AuthorizationContext): Promise<OAuthError['remedy']> {
  const uri = String(oidc.params?.redirect_uri);
  if (!control || !REGISTRABLE.test(uri) || !URL.canParse(uri)) return undefined;
  const client = await clientById.first(store.db, { id: String(oidc.client?.clientId) });
  if (client === undefined) return undefined;
  const baseUrl = oidc.provider.issuer.replace(/\/auth$/, '');
  const name = /^\w[\w.-]*$/.test(client.alias) ? client.alias : client.id;
  return { text: 'To register it, run:', command: `xpk state set clients ${name} 'redirectUris+=${uri}' --url '${baseUrl}'` };
}
