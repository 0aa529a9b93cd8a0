import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { allPrincipals, principalByNumber, principalsOfNumber } from '../../store/authorization.ts';
import type { Consent } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import type { AuthorizationContext, LoginMode } from './context.ts';
import { decideScopes } from './requested-scopes.ts';
import { OFFLINE_ACCESS, removeOfflineAccess } from './scopes.ts';

const E164_PATTERN = /^\+[1-9]\d{1,14}$/;
/** A SHA-256 hash in base64url. No code_verifier can match a code_challenge in another form. */
const S256_CHALLENGE_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** Returns the client's login mode, or else the kit's. */
export function getLoginMode({ oidc: { client } }: KoaContextWithOIDC, { login }: Pick<AuthorizationContext, 'login'>): LoginMode {
  return (client?.login as LoginMode | undefined) ?? login;
}

/** Refusals go to the redirect_uri, which the library has already checked. */
export async function validateAuthorization(ctx: KoaContextWithOIDC, context: AuthorizationContext): Promise<void> {
  const { decisions, store } = context;
  const { params } = ctx.oidc;
  if (params === undefined) throw new Error('oidc-provider has not set ctx.oidc.params for the authorization request.');
  if (!S256_CHALLENGE_PATTERN.test(String(params.code_challenge))) {
    throw new errors.InvalidRequest('The code_challenge must be a SHA-256 in base64url: 43 characters without padding.');
  }
  // The library's parsed parameters often omit offline_access, so read the query.
  params.scope = decideScopes(ctx.query.scope, decisions).join(' ');
  const number = validateLoginHint(params.login_hint, decisions['oauth.login-hint'] === 'refused');
  params.login_hint = number;
  const login = getLoginMode(ctx, context);
  if (login === 'deny')
    throw new errors.AccessDenied('The kit was started with --login deny, or the client has `login: deny` in the world.');
  if (login === 'auto') ctx.oidc.session?.loginAccount({ accountId: (await findApprovingPrincipal(store, number)).id, transient: true });
}

function validateLoginHint(hint: unknown, isStrict: boolean): string | undefined {
  if (typeof hint === 'string' && E164_PATTERN.test(hint)) return hint;
  if (!isStrict) return undefined;
  if (hint === undefined)
    throw new errors.InvalidRequest(
      'The parameter login_hint is missing. It is the phone number that the user wants to use, in E.164, such as +12065550100.',
    );
  throw new errors.InvalidRequest(
    'The login_hint must be a phone number in E.164, such as +12065550100. In a query, write the plus as %2B.',
  );
}

interface Principal {
  readonly id: string;
  readonly name: string;
  readonly consent: Consent;
}

/** Returns the principal that logs in with the number, or else the principal with the highest access level for the number's account. */
export async function findPrincipalByNumber({ db }: Store, number: string): Promise<Principal | undefined> {
  return (await principalByNumber.first(db, { number })) ?? (await principalsOfNumber.first(db, { number }));
}

async function findApprovingPrincipal(store: Store, number: string | undefined): Promise<Principal> {
  const principal = number === undefined ? await allPrincipals.first(store.db, {}) : await findPrincipalByNumber(store, number);
  if (!principal)
    throw new errors.AccessDenied(
      "No principal in the world logs in with the phone number in login_hint or has access to the number's account.",
    );
  if (principal.consent === 'declines')
    throw new errors.AccessDenied('The principal declines every request, because its consent in the fixtures is "declines".');
  return principal;
}

export async function saveGrant(
  provider: Provider,
  { accountId, clientId, scopes, audience }: { accountId: string; clientId: string; scopes: readonly string[]; audience: string },
): Promise<string> {
  const grant = new provider.Grant({ accountId, clientId });
  if (scopes.includes(OFFLINE_ACCESS)) grant.addOIDCScope(OFFLINE_ACCESS);
  const operations = removeOfflineAccess(scopes);
  if (operations.length > 0) grant.addResourceScope(audience, operations.join(' '));
  return grant.save();
}
