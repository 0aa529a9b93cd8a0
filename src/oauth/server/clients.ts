import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { clientById, markAssertionUsed } from '../../store/authorization.ts';
import { emptyAdapter } from './artifacts.ts';
import type { AuthorizationContext, LoginMode } from './context.ts';
import { getTokenEndpoint, listGrantTypes } from './metadata.ts';

type Context = Pick<AuthorizationContext, 'store' | 'decisions'>;

interface ClientSettings {
  readonly secret?: string;
  readonly publicKey?: Record<string, unknown>;
  readonly redirectUris: readonly string[];
  readonly login?: LoginMode;
  readonly accessTokenLifetime?: number;
  readonly codeLifetime?: number;
}

/**
 * Provides the world's clients to the library. Because the library allows only one authentication method per client, `find` returns the
 * client with the method that the current request uses.
 */
export function createClientAdapter({ store, decisions }: Context): Adapter {
  return {
    ...emptyAdapter,
    async find(id) {
      // Skip the query for ids with a NUL character, because PostgreSQL refuses such strings.
      const row = id.includes('\0') ? undefined : await clientById.first(store.db, { id });
      if (!row) return undefined;
      const settings = JSON.parse(row.settings) as ClientSettings;
      const { secret, publicKey, redirectUris, login, accessTokenLifetime, codeLifetime } = settings;
      const method = getAuthenticationMethod(settings);
      return {
        client_id: row.id,
        client_name: row.name,
        redirect_uris: [...redirectUris],
        // The library refuses a client that has response types but no redirect URI.
        response_types: redirectUris.length > 0 ? ['code'] : [],
        grant_types: listGrantTypes(decisions),
        token_endpoint_auth_method: method,
        login,
        accessTokenLifetime,
        codeLifetime,
        ...(method === 'client_secret_post' ? { client_secret: secret } : { jwks: { keys: [publicKey] } }),
      } as AdapterPayload;
    },
  };
}

function getAuthenticationMethod({ secret, publicKey }: ClientSettings): 'client_secret_post' | 'private_key_jwt' {
  if (secret === undefined && publicKey === undefined) {
    throw new errors.UnauthorizedClient('The client has neither a secret nor a key, and this server supports only confidential clients.');
  }
  const params = Provider.ctx?.oidc.params;
  if (params?.client_assertion !== undefined) {
    if (publicKey === undefined)
      throw new errors.InvalidClientAuth({ detail: 'The client has no registered key. Authenticate with client_secret.' });
    return 'private_key_jwt';
  }
  if (params?.client_secret !== undefined && secret === undefined) {
    throw new errors.InvalidClientAuth({ detail: 'The client has no secret. Authenticate with a client_assertion.' });
  }
  return secret === undefined ? 'private_key_jwt' : 'client_secret_post';
}

/**
 * Accepts each client assertion only once (decision oauth.assertion.replay). Checks this in `upsert`, because a check in `find` would miss
 * concurrent requests.
 */
export function createAssertionAdapter({ store, decisions }: Context): Adapter {
  return {
    ...emptyAdapter,
    async upsert(id, _payload, expiresIn = 0) {
      if (decisions['oauth.assertion.replay'] === 'accepted') return;
      const now = Date.now();
      // The library rounds the lifetime down to whole seconds.
      const isNew = await store.write((tx) => markAssertionUsed(tx, { id, now, expiresAt: now + (expiresIn + 1) * 1000 }));
      if (!isNew)
        throw new errors.InvalidClientAuth({
          detail: 'The client_assertion was already used. Create a new client_assertion with another jti for each request.',
        });
    },
  };
}

/** Checks an assertion's audience and expiry (oauth.assertion.audience, oauth.assertion.lifetime), because the library is less strict. */
export function validateAssertion({ aud, exp }: { aud?: unknown; exp?: unknown }, issuer: string, decisions: Decisions): void {
  const endpoint = getTokenEndpoint(issuer);
  const decision = decisions['oauth.assertion.audience'];
  const accepted: unknown[] = decision === 'token-endpoint' ? [endpoint] : [issuer, endpoint];
  if (decision !== 'also-others' && ![aud].flat().every((audience) => accepted.includes(audience))) {
    throw new errors.InvalidClientAuth({
      detail: `The client_assertion must not have an audience (aud) other than ${accepted.join(' or ')}.`,
    });
  }
  const lifetime = decisions['oauth.assertion.lifetime'];
  if (Number(exp) - Date.now() / 1000 <= lifetime) return;
  throw new errors.InvalidClientAuth({
    detail: `The client_assertion must expire (exp) at most ${lifetime} seconds from now, in wall time.`,
  });
}
