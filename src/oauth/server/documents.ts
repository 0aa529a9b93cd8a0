import type { Decisions } from '../../contract/generated/decisions.ts';
import { tokenEndpoint } from './addresses.ts';
import { SCOPES } from './scopes.ts';

/** Signatures that a client assertion may have: those of public keys. */
export const ASSERTION_ALGORITHMS = ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'EdDSA', 'Ed25519'];

export function grantTypes(decisions: Decisions): string[] {
  return [
    'authorization_code',
    ...(decisions['oauth.refresh'] === 'none' ? [] : ['refresh_token']),
    ...(decisions['oauth.other-grants'] === 'client-credentials' ? ['client_credentials'] : []),
  ];
}

/** The metadata of the authorization server (RFC 8414). All of it is true under the decisions in force. */
export function metadata(issuer: string, decisions: Decisions): Record<string, unknown> {
  const basic = decisions['oauth.client-basic'] === 'accepted' ? ['client_secret_basic'] : [];
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: tokenEndpoint(issuer),
    jwks_uri: `${issuer}/jwks`,
    scopes_supported: Object.keys(SCOPES),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes(decisions),
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', ...basic],
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}
