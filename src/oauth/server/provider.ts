import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { errors, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { principalById } from '../../store/authorization.ts';
import { createAccessTokenClaims } from '../mint.ts';
import { createGrantedTokenId } from '../token-claims.ts';
import { getLoginMode, saveGrant, validateAuthorization } from './approval.ts';
import { createArtifactAdapter, emptyAdapter, getAccessTokenLifetime, getLifetimes } from './artifacts.ts';
import { createAssertionAdapter, createClientAdapter, validateAssertion } from './clients.ts';
import type { AuthorizationContext } from './context.ts';
import { ASSERTION_ALGORITHMS } from './metadata.ts';
import { acceptsHtml } from './page.ts';
import { sendRefusal } from './refuse.ts';
import { OFFLINE_ACCESS, removeOfflineAccess, SCOPES } from './scopes.ts';

/** The caller must pass the returned provider only requests from `createProviderRequest`. */
export function createProvider(issuer: string, context: AuthorizationContext): Provider {
  const { decisions, store } = context;
  const authority = context.getAuthority();
  const provider: Provider = new Provider(issuer, {
    adapter: (kind: string) => createAdapter(kind, context),
    jwks: { keys: [{ ...authority.key.privateKey.export({ format: 'jwk' }), kid: authority.key.kid, alg: 'EdDSA', use: 'sig' } as never] },
    routes: { authorization: '/authorize', token: '/oauth/token' },
    scopes: [OFFLINE_ACCESS],
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_post', 'private_key_jwt'],
    enabledJWA: { clientAuthSigningAlgValues: ASSERTION_ALGORITHMS as never, idTokenSigningAlgValues: ['EdDSA'] },
    clientDefaults: { id_token_signed_response_alg: 'EdDSA' },
    extraClientMetadata: { properties: ['login', 'accessTokenLifetime', 'codeLifetime'] },
    // `ctx.res.req` is the received request. `ctx.req` is the request from `createProviderRequest`.
    renderError(ctx, _out, error) {
      ctx.respond = false;
      const received = ctx.res.req;
      sendRefusal(context, received, ctx.res, error, ctx.oidc.route !== 'token' && acceptsHtml(received));
    },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clockTolerance: 0,
    ttl: getLifetimes(decisions),
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, _client, source) => decisions['oauth.refresh'] !== 'none' && source.scopes.has(OFFLINE_ACCESS),
    rotateRefreshToken: decisions['oauth.refresh'] === 'rotated',
    cookies: { names: { interaction: 'xpk_interaction', resume: 'xpk_resume', session: 'xpk_session' } },
    interactions: {
      url: (_ctx, { uid }) => `${new URL(issuer).pathname}/interaction/${uid}`,
    },
    // The library's default features stay enabled, but `server.ts` never passes requests for them to the library.
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: decisions['oauth.other-grants'] === 'client-credentials' },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => authority.audience,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, _resource, client) => ({
          scope: removeOfflineAccess(Object.keys(SCOPES)).join(' '),
          audience: authority.audience,
          accessTokenTTL: getAccessTokenLifetime(client, decisions),
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'EdDSA', kid: authority.key.kid } },
        }),
      },
    },
    // The library calls this function after its own checks, even if the request has no login_hint.
    extraParams: { login_hint: (ctx) => validateAuthorization(ctx, context) },
    async findAccount(ctx, id) {
      if (await principalById.first(store.db, { id })) return { accountId: id, claims: () => ({ sub: id }) };
      if (ctx.oidc.route !== 'token') throw new errors.AccessDenied('The principal who approves the request no longer exists.');
      return undefined;
    },
    async loadExistingGrant(ctx) {
      const accountId = ctx.oidc.session?.accountId;
      const { result } = ctx.oidc;
      const approved = result?.consent?.grantId;
      if (approved !== undefined) return provider.Grant.find(approved);
      if (getLoginMode(ctx, context) !== 'auto' || accountId === undefined) return undefined;
      const scopes = String(ctx.oidc.params?.scope).split(' ');
      const clientId = String(ctx.oidc.client?.clientId);
      return provider.Grant.find(await saveGrant(provider, { accountId, clientId, scopes, audience: authority.audience }));
    },
    assertJwtClientAuthClaimsAndHeader: (_ctx, claims) => validateAssertion(claims, issuer, decisions),
    formats: {
      customizers: {
        // Replace the library's claims: times must be kit time, and the issuer must be the metadata's issuer (RFC 9068, section 4).
        jwt(_ctx, token, jwt) {
          const granted = token.kind === 'AccessToken' ? token : undefined;
          jwt.payload = createAccessTokenClaims(
            { ...authority, issuer },
            {
              clientId: String(token.clientId),
              principalId: granted?.accountId,
              scopes: token.scope?.split(' ') ?? [],
              issuedAt: context.clock.now(),
              expiresIn: token.expiration,
              id: granted?.grantId === undefined ? token.jti : createGrantedTokenId(granted.grantId, token.jti),
            },
          );
        },
      },
    },
  });
  // Makes the library read the issuer's address from the proxy headers that `createProviderRequest` sets.
  provider.proxy = true;
  // Without this listener, Koa would write errors to the console.
  (provider as EventEmitter).on('error', (error: unknown, ctx?: { res?: { req: IncomingMessage } }) => {
    if (ctx?.res) context.logError(error, ctx.res.req);
  });
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.status !== 303) return;
    // The library may put the error in the redirect's fragment, so move the error to the query.
    ctx.body = '';
    const location = ctx.response.get('Location');
    ctx.set('Location', location.replace('#', location.includes('?') ? '&' : '?'));
    const callback = URL.parse(location);
    if (!callback?.searchParams.has('code') || !(await context.shouldAlterState(ctx.res))) return;
    callback.searchParams.set('state', `altered-${randomUUID()}`);
    ctx.set('Location', callback.href);
  });
  provider.on('authorization.success', deleteSessionCookie);
  provider.on('grant.success', addGrantedScopes);
  return provider;
}

function createAdapter(kind: string, context: AuthorizationContext) {
  if (kind === 'Client') return createClientAdapter(context);
  if (kind === 'ReplayDetection') return createAssertionAdapter(context);
  // Sessions are not stored, so users do not stay logged in.
  return kind === 'Session' ? emptyAdapter : createArtifactAdapter(kind, context);
}

/** Deletes the session cookie, which is useless because sessions are not stored. */
function deleteSessionCookie(ctx: KoaContextWithOIDC): void {
  Object.assign(ctx.oidc.session ?? {}, { destroyed: true });
}

/** Adds all granted scopes to the token response, because the library leaves out offline_access. */
function addGrantedScopes(ctx: KoaContextWithOIDC): void {
  const { AuthorizationCode: code, RefreshToken: refreshToken } = ctx.oidc.entities;
  const requested = ctx.oidc.params?.scope;
  const granted = code?.scope ?? (refreshToken && (typeof requested === 'string' ? requested : refreshToken.scope));
  if (granted === undefined) return;
  const scopes = new Set(granted.split(' '));
  Object.assign(ctx.body as object, {
    scope: Object.keys(SCOPES)
      .filter((scope) => scopes.has(scope))
      .join(' '),
  });
}
