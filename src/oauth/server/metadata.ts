import type { IncomingMessage } from 'node:http';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { getVisiblePrefix } from '../../contract/world-url.ts';
import type { AuthorizationContext } from './context.ts';
import { SCOPES } from './scopes.ts';

export type Addresses = Pick<AuthorizationContext, 'publicUrl' | 'baseUrl' | 'prefix'>;

/** Returns the public URL, or else the address in the checked Host header. A host that names the world is used in any case. */
export function getBaseUrl(req: IncomingMessage, { publicUrl, baseUrl, prefix }: Addresses): string {
  const { host } = req.headers;
  const visible = getVisiblePrefix(host, prefix);
  if (publicUrl !== undefined && visible === prefix) return publicUrl;
  return host === undefined ? baseUrl() : `http://${host.toLowerCase()}${visible}`;
}

/** Returns the specification's {auth_url}, which must match the URL that the client requested (RFC 8414, section 3.3). */
export const getIssuer = (req: IncomingMessage, addresses: Addresses): string => `${getBaseUrl(req, addresses)}/auth`;

export const getTokenEndpoint = (issuer: string): string => `${issuer}/oauth/token`;

export const ASSERTION_ALGORITHMS = ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'EdDSA', 'Ed25519'];

export function listGrantTypes(decisions: Decisions): string[] {
  return [
    'authorization_code',
    ...(decisions['oauth.refresh'] === 'none' ? [] : ['refresh_token']),
    ...(decisions['oauth.other-grants'] === 'client-credentials' ? ['client_credentials'] : []),
  ];
}

export function createMetadata(issuer: string, decisions: Decisions): Record<string, unknown> {
  const basic = decisions['oauth.client-basic'] === 'accepted' ? ['client_secret_basic'] : [];
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: getTokenEndpoint(issuer),
    jwks_uri: `${issuer}/jwks`,
    scopes_supported: Object.keys(SCOPES),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: listGrantTypes(decisions),
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', ...basic],
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}
