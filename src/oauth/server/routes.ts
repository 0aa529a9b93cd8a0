import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Request, type RequestHandler, Router } from 'express';
import { gates } from '../../contract/generated/gates.ts';
import { publicJwks } from '../keys.ts';
import { issuerOf } from './addresses.ts';
import type { AuthorizationContext } from './context.ts';
import { metadata } from './documents.ts';
import { handed } from './handed.ts';
import { isOAuthError, sendOAuthError } from './oauth-error.ts';
import { type Served, servedBy } from './served.ts';
import { readTokenRequest } from './token-request.ts';

interface Exchange {
  readonly req: Request;
  readonly res: ServerResponse;
  readonly issuer: string;
  /** The part of the path that names an authorization request under way. */
  readonly uid: string;
  served(): Promise<Served>;
}
type Methods = { readonly GET?: (exchange: Exchange) => Promise<void>; readonly POST?: (exchange: Exchange) => Promise<void> };

/**
 * The authorization server, below {auth_url} = <address of the kit>/auth. It reads bodies itself: no parser may stand before it. What is not listed here
 * is not served, for the library has more paths, and more ways to write these.
 */
export function authorizationRoutes(context: AuthorizationContext): Router {
  const { decisions } = context;
  const router = Router({ caseSensitive: true, strict: true });
  const metadataOf = (req: IncomingMessage) => metadata(issuerOf(req, context), decisions);

  // The location of RFC 8414, section 3.1; the issuer's own, where many look; and that of OpenID Connect, where libraries look unless told otherwise.
  router.get('/.well-known/oauth-authorization-server/auth', (req, res) => void res.json(metadataOf(req)));
  router.get('/auth/.well-known/oauth-authorization-server', (req, res) => void res.json(metadataOf(req)));
  router.get('/auth/.well-known/openid-configuration', (req, res) => void res.json(metadataOf(req)));
  router.get('/auth/jwks', async (_req, res) => {
    await context.world.refresh();
    res.json(publicJwks(context.authority().key));
  });

  const handle = handlers(context);
  router.all('/auth/authorize', notForPages, handle({ GET: authorize }));
  router.all('/auth/authorize/:uid', notForPages, handle({ GET: resume }));
  router.all('/auth/interaction/:uid', notForPages, handle({ GET: showLogin, POST: takeLogin }));
  router.all('/auth/oauth/token', handle({ POST: (exchange) => token(context, exchange) }));
  return router;
}

function handlers(context: AuthorizationContext): (methods: Methods) => RequestHandler {
  const served = servedBy(context);
  return (methods) => async (req, res) => {
    const method = methods[req.method as keyof Methods];
    // HEAD too: it would issue a code that nobody sees.
    if (!method) return methodNotAllowed(context, res, Object.keys(methods));
    // Kit time and the world as another replica left them.
    await context.world.refresh();
    const issuer = issuerOf(req, context);
    await method({ req, res, issuer, uid: String(req.params.uid ?? ''), served: () => served(issuer) });
  };
}

function methodNotAllowed({ sendProblem }: AuthorizationContext, res: ServerResponse, methods: readonly string[]): void {
  const id = 'http.method-not-allowed';
  const Allow = [...methods, 'OPTIONS'].join(', ');
  sendProblem(res, { id, status: gates[id].status, title: gates[id].title, detail: `This path answers ${Allow}.` }, { Allow });
}

/** What a person sees is not for the scripts of other sites. */
const notForPages: RequestHandler = (_req, res, next) => {
  res.removeHeader('Access-Control-Allow-Origin');
  res.removeHeader('Access-Control-Expose-Headers');
  next();
};

/** What an authorization request is made of (Authentication); other parameters are ignored (RFC 6749, section 3.1). */
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

async function authorize({ req, res, issuer, served }: Exchange): Promise<void> {
  const at = req.url.indexOf('?');
  const query = [...new URLSearchParams(at < 0 ? '' : req.url.slice(at + 1))].filter(([name]) => PARAMETERS.has(name));
  await (await served()).handle(handed(req, issuer, { path: `/authorize?${new URLSearchParams(query)}` }), res);
}

async function resume({ req, res, issuer, uid, served }: Exchange): Promise<void> {
  await (await served()).handle(handed(req, issuer, { path: `/authorize/${encodeURIComponent(uid)}` }), res);
}

const showLogin = async ({ req, res, uid, served }: Exchange): Promise<void> => (await served()).loginPage.get(uid, req, res);
const takeLogin = async ({ req, res, uid, served }: Exchange): Promise<void> => (await served()).loginPage.post(uid, req, res);

async function token(context: AuthorizationContext, { req, res, issuer, served }: Exchange): Promise<void> {
  const parameters = await readTokenRequest(req, context.decisions);
  if (parameters === undefined) return;
  if (isOAuthError(parameters)) return sendOAuthError(context, res, parameters);
  const form = new URLSearchParams({ ...parameters });
  await (await served()).handle(handed(req, issuer, { path: '/oauth/token', form }), res);
}
