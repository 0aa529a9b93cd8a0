import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Request, type RequestHandler, Router } from 'express';
import { gates } from '../../contract/generated/gates.ts';
import type { AuthorizationContext } from './context.ts';
import { issuerOf, metadata } from './metadata.ts';
import { isOAuthError, sendOAuthError } from './oauth-error.ts';
import { providerRequest } from './provider-request.ts';
import { readTokenRequest } from './token-request.ts';

interface Exchange {
  readonly req: Request;
  readonly res: ServerResponse;
  readonly issuer: string;
  /** The id of an authorization request in progress, from the path. */
  readonly uid: string;
  provider(): Promise<IssuerProvider>;
}
type Methods = { readonly GET?: (exchange: Exchange) => Promise<void>; readonly POST?: (exchange: Exchange) => Promise<void> };

/**
 * The routes of the authorization server, below {auth_url} = <address of the kit>/auth. They read bodies themselves, so no parser may run before them.
 * The library would answer more paths, and other spellings of these; requests reach it only through the routes listed here.
 */
export function authorizationRoutes(context: AuthorizationContext): Router {
  const { decisions } = context;
  const router = Router({ caseSensitive: true, strict: true });
  const metadataOf = (req: IncomingMessage) => metadata(issuerOf(req, context), decisions);

  // The location of RFC 8414, section 3.1; the location below the issuer, which many clients try; and the location of OpenID Connect, the default of libraries.
  router.get('/.well-known/oauth-authorization-server/auth', (req, res) => void res.json(metadataOf(req)));
  router.get('/auth/.well-known/oauth-authorization-server', (req, res) => void res.json(metadataOf(req)));
  router.get('/auth/.well-known/openid-configuration', (req, res) => void res.json(metadataOf(req)));
  router.get('/auth/jwks', async (_req, res) => {
    await context.world.refresh();
    res.json({ keys: [context.authority().key.publicJwk] });
  });

  const handle = handlers(context);
  router.all('/auth/authorize', withoutCors, handle({ GET: authorize }));
  router.all('/auth/authorize/:uid', withoutCors, handle({ GET: resume }));
  router.all('/auth/interaction/:uid', withoutCors, handle({ GET: showLogin, POST: submitLogin }));
  router.all('/auth/oauth/token', handle({ POST: (exchange) => token(context, exchange) }));
  return router;
}

function handlers(context: AuthorizationContext): (methods: Methods) => RequestHandler {
  const providerFor = createProviders(context);
  return (methods) => async (req, res) => {
    const method = methods[req.method as keyof Methods];
    // This includes HEAD, which would issue a code without returning it.
    if (!method) return methodNotAllowed(context, res, Object.keys(methods));
    // Another replica may have changed the world or kit time.
    await context.world.refresh();
    const issuer = issuerOf(req, context);
    await method({ req, res, issuer, uid: String(req.params.uid ?? ''), provider: () => providerFor(issuer) });
  };
}

/** The library and the login page for one issuer. */
interface IssuerProvider {
  handle(request: IncomingMessage, res: ServerResponse): Promise<void>;
  readonly loginPage: {
    get(uid: string, req: IncomingMessage, res: ServerResponse): Promise<void>;
    post(uid: string, req: IncomingMessage, res: ServerResponse): Promise<void>;
  };
}

/** Clients can reach the kit under any number of host names. */
const MAX_PROVIDERS = 8;

/** Returns the provider for an issuer in the current world. The library is loaded with the first request, to keep the start fast. */
function createProviders(context: AuthorizationContext): (issuer: string) => Promise<IssuerProvider> {
  const created = new Map<string, Promise<IssuerProvider>>();
  return (issuer) => {
    const authority = context.authority();
    const key = `${authority.world} ${issuer}`;
    let provider = created.get(key);
    if (provider === undefined) {
      if (created.size >= MAX_PROVIDERS) created.delete(created.keys().next().value ?? '');
      provider = load().then(({ createProvider, loginPages }) => {
        const library = createProvider(issuer, authority, context);
        return { handle: library.callback(), loginPage: loginPages(library, issuer, context) };
      });
      created.set(key, provider);
      // The next request tries again.
      provider.catch(() => created.delete(key));
    }
    return provider;
  };
}

const load = async () => ({ ...(await import('./provider.ts')), ...(await import('./login-pages.ts')) });

function methodNotAllowed({ sendProblem }: AuthorizationContext, res: ServerResponse, methods: readonly string[]): void {
  const id = 'http.method-not-allowed';
  const Allow = [...methods, 'OPTIONS'].join(', ');
  sendProblem(res, { id, status: gates[id].status, title: gates[id].title, detail: `This path answers ${Allow}.` }, { Allow });
}

/** Scripts of other sites must not read the pages for users. */
const withoutCors: RequestHandler = (_req, res, next) => {
  res.removeHeader('Access-Control-Allow-Origin');
  res.removeHeader('Access-Control-Expose-Headers');
  next();
};

/** The parameters of an authorization request (Authentication). Others are ignored (RFC 6749, section 3.1). */
const PARAMETERS = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'login_hint',
]);

async function authorize({ req, res, issuer, provider }: Exchange): Promise<void> {
  const at = req.url.indexOf('?');
  const query = [...new URLSearchParams(at < 0 ? '' : req.url.slice(at + 1))].filter(([name]) => PARAMETERS.has(name));
  await (await provider()).handle(providerRequest(req, issuer, { path: `/authorize?${new URLSearchParams(query)}` }), res);
}

async function resume({ req, res, issuer, uid, provider }: Exchange): Promise<void> {
  await (await provider()).handle(providerRequest(req, issuer, { path: `/authorize/${encodeURIComponent(uid)}` }), res);
}

const showLogin = async ({ req, res, uid, provider }: Exchange): Promise<void> => (await provider()).loginPage.get(uid, req, res);
const submitLogin = async ({ req, res, uid, provider }: Exchange): Promise<void> => (await provider()).loginPage.post(uid, req, res);

async function token(context: AuthorizationContext, { req, res, issuer, provider }: Exchange): Promise<void> {
  const parameters = await readTokenRequest(req, context.decisions);
  if (parameters === undefined) return;
  if (isOAuthError(parameters)) return sendOAuthError(context, res, parameters);
  const form = new URLSearchParams({ ...parameters });
  await (await provider()).handle(providerRequest(req, issuer, { path: '/oauth/token', form }), res);
}
