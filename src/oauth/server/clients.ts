import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider';
import { clientById } from '../../store/authorization.ts';
import { noSessions } from './artifacts.ts';
import type { AuthorizationContext } from './context.ts';
import { grantTypes } from './documents.ts';

/** What a client of the world holds as JSON. */
interface ClientSettings {
  readonly secret?: string;
  readonly publicKey?: Record<string, unknown>;
  readonly redirectUris: readonly string[];
}

/** The clients of the world, as the library knows clients. One that may authenticate in either way has the method of the request that asks. */
export function clients({ store, decisions }: Pick<AuthorizationContext, 'store' | 'decisions'>): Adapter {
  return {
    ...noSessions,
    async find(id) {
      // PostgreSQL takes no NUL, not even to find nothing.
      const row = id.includes('\0') ? undefined : await clientById.first(store.db, { id });
      if (!row) return undefined;
      const settings = JSON.parse(row.settings) as ClientSettings;
      const { secret, publicKey, redirectUris } = settings;
      const method = methodOf(settings);
      return {
        client_id: row.id,
        client_name: row.name,
        redirect_uris: [...redirectUris],
        // The library wants an address to send codes to from a client that may have codes.
        response_types: redirectUris.length > 0 ? ['code'] : [],
        grant_types: grantTypes(decisions),
        token_endpoint_auth_method: method,
        ...(method === 'client_secret_post' ? { client_secret: secret } : { jwks: { keys: [publicKey] } }),
      } as AdapterPayload;
    },
  };
}

function methodOf({ secret, publicKey }: ClientSettings): 'client_secret_post' | 'private_key_jwt' {
  if (secret === undefined && publicKey === undefined) {
    throw new errors.UnauthorizedClient('The client has neither a secret nor a key, and only confidential clients are served.');
  }
  const params = Provider.ctx?.oidc.params;
  if (params?.client_assertion !== undefined) {
    if (publicKey === undefined)
      throw new errors.InvalidClientAuth({ detail: 'The client has no registered key: it authenticates with client_secret.' });
    return 'private_key_jwt';
  }
  if (params?.client_secret !== undefined && secret === undefined) {
    throw new errors.InvalidClientAuth({ detail: 'The client has no secret: it authenticates with a client_assertion.' });
  }
  return secret === undefined ? 'private_key_jwt' : 'client_secret_post';
}
