import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import type { AuthorizationContext } from './context.ts';
import { judgeRequestedScopes } from './judge-scopes.ts';
import { describable, isOAuthError } from './oauth-error.ts';
import { anyPrincipal, type Principal, principalOfNumber } from './principals.ts';
import { OFFLINE_ACCESS, operationScopes } from './scopes.ts';

const E164 = /^\+[1-9]\d{1,14}$/;
/** Of a SHA-256, base64url: no other text can match a verifier. */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * What the kit asks of an authorization request beyond the library, and who approves it. The library calls this last, when client, redirect_uri and PKCE
 * were judged, so that every refusal goes to the redirect_uri.
 */
export async function judgeAuthorization(ctx: KoaContextWithOIDC, context: AuthorizationContext): Promise<void> {
  const { decisions, login, store } = context;
  const { params } = ctx.oidc;
  if (params === undefined) throw new Error('the library has not read the parameters');
  if (!S256_CHALLENGE.test(String(params.code_challenge))) {
    throw new errors.InvalidRequest('The code_challenge is not the base64url of a SHA-256: it has 43 characters, without padding.');
  }
  // From the query: the library has dropped offline_access, which it grants to OpenID Connect clients only when they ask for consent, too.
  const scopes = judgeRequestedScopes(first(ctx.query.scope), decisions);
  if (isOAuthError(scopes)) throw new errors.CustomOIDCProviderError(scopes.error, describable(scopes.description));
  params.scope = scopes.join(' ');
  const number = judgeLoginHint(params.login_hint, decisions['oauth.login-hint'] === 'refused');
  params.login_hint = number;
  if (login === 'deny') throw new errors.AccessDenied('The kit was started with --login deny.');
  if (login === 'auto') ctx.oidc.session?.loginAccount({ accountId: (await whoeverApproves(store, number)).id, transient: true });
}

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

function judgeLoginHint(hint: unknown, strict: boolean): string | undefined {
  if (typeof hint === 'string' && E164.test(hint)) return hint;
  if (!strict) return undefined;
  if (hint === undefined)
    throw new errors.InvalidRequest('The parameter login_hint is missing: the phone number the user wants to use, in E.164.');
  const plus = String(hint).startsWith(' ') ? ' A plus is written %2B in a query, where + stands for a space.' : '';
  throw new errors.InvalidRequest(`The login_hint is not a phone number in E.164, such as +12065550100.${plus}`);
}

async function whoeverApproves(store: AuthorizationContext['store'], number: string | undefined): Promise<Principal> {
  const principal = number === undefined ? await anyPrincipal(store) : await principalOfNumber(store, number);
  if (!principal)
    throw new errors.AccessDenied('No principal of the world logs in with the number of login_hint, or may do anything with its account.');
  if (principal.consent === 'declines') throw new errors.AccessDenied('The principal that is meant declines, as its fixture says.');
  return principal;
}

/** Keeps what a principal grants a client, and gives its id. */
export async function saveGrant(
  provider: Provider,
  { accountId, clientId, scopes, audience }: { accountId: string; clientId: string; scopes: readonly string[]; audience: string },
): Promise<string> {
  const grant = new provider.Grant({ accountId, clientId });
  if (scopes.includes(OFFLINE_ACCESS)) grant.addOIDCScope(OFFLINE_ACCESS);
  const operations = operationScopes(scopes);
  if (operations.length > 0) grant.addResourceScope(audience, operations.join(' '));
  return grant.save();
}
