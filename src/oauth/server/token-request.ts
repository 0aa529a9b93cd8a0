import { errors } from 'oidc-provider';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { isNestedDeeper, MAX_DEPTH } from '../../contract/validators.ts';
import type { Form } from './form.ts';
import { listGrantTypes } from './metadata.ts';
import { decideScopes, parseScopes } from './requested-scopes.ts';

const { InvalidClientAuth, InvalidRequest } = errors;

/** All other parameters are ignored (RFC 6749, section 3.2). */
const TOKEN_PARAMETERS = [
  'grant_type',
  'client_id',
  'client_secret',
  'client_assertion_type',
  'client_assertion',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
] as const;
type TokenParameters = { [Name in (typeof TOKEN_PARAMETERS)[number]]?: string };

/**
 * Reads and checks a token request, because the library's checks differ from the specification.
 * @throws an OAuth error
 */
export function readTokenRequest(form: Form, authorization: string | undefined, decisions: Decisions): URLSearchParams {
  const parameters = readParameters(form);
  validateAuthentication(parameters, authorization, decisions);
  const { grant_type: grantType, client_id: clientId, scope } = parameters;
  if (grantType === undefined) throw new InvalidRequest('The parameter grant_type is missing.');
  if (!listGrantTypes(decisions).includes(grantType)) {
    const description = `The grant_type is not supported; use one of: ${listGrantTypes(decisions).join(', ')}.`;
    throw new errors.UnsupportedGrantType(description);
  }
  if (grantType === 'authorization_code') {
    if (clientId !== undefined || authorization !== undefined) return new URLSearchParams(parameters);
    throw new InvalidRequest('The parameter client_id is missing. A code exchange requires it with every client authentication method.');
  }
  // A refresh without `scope` gets all granted scopes. Other grant types require `scope`.
  if (grantType === 'refresh_token' && scope === undefined) return new URLSearchParams(parameters);
  const scopes = grantType === 'refresh_token' ? parseScopes(String(scope), decisions) : decideScopes(scope, decisions);
  return new URLSearchParams({ ...parameters, scope: scopes.join(' ') });
}

/** An empty parameter is treated as missing (RFC 6749, section 3.2). */
function readParameters(form: Form): TokenParameters {
  const parameters: TokenParameters = {};
  for (const name of TOKEN_PARAMETERS) {
    const value = form[name];
    if (value !== undefined && typeof value !== 'string') {
      throw new InvalidRequest(`The parameter ${name} was sent ${value.length} times; send it once.`);
    }
    if (value) parameters[name] = value;
  }
  return parameters;
}

function validateAuthentication(parameters: TokenParameters, authorization: string | undefined, decisions: Decisions): void {
  const { client_secret: secret, client_assertion: assertion, client_assertion_type: type } = parameters;
  const hasHeader = authorization !== undefined;
  if (hasHeader && decisions['oauth.client-basic'] === 'refused') {
    throw new InvalidClientAuth('The Authorization header is not accepted: send client_secret or client_assertion in the body.');
  }
  const count = [secret !== undefined, assertion !== undefined || type !== undefined, hasHeader].filter(Boolean).length;
  if (count > 1) {
    throw new InvalidRequest('The request has more than one client authentication; send either client_secret or client_assertion.');
  }
  if (count === 0) {
    throw new InvalidClientAuth(
      'The request has no client authentication. Send client_secret, or client_assertion with client_assertion_type: this server supports only confidential clients.',
    );
  }
  if (hasHeader && !isBasic(authorization)) {
    throw new InvalidClientAuth(
      'The Authorization header must be Basic, with the client_id and the client_secret (RFC 6749, section 2.3.1).',
    );
  }
  if (type !== undefined && assertion === undefined) {
    throw new InvalidRequest('The request has a client_assertion_type, but no client_assertion.');
  }
  // The library would ignore a trailing NUL and accept a wrong secret.
  if (secret?.includes('\0')) throw new InvalidClientAuth('The client_secret is wrong: it contains a NUL.');
  if (isNestedTooDeeply(assertion))
    throw new InvalidClientAuth(`The client_assertion has more than ${MAX_DEPTH} levels of lists and objects.`);
}

/** Whether Basic credentials are well-formed. The library does not send the required 401 for malformed ones (RFC 6749, section 5.2). */
function isBasic(authorization: string): boolean {
  const [, encoded = ''] = /^Basic (\S+)$/i.exec(authorization) ?? [];
  const credentials = Buffer.from(encoded, 'base64').toString();
  try {
    decodeURIComponent(credentials);
  } catch {
    return false;
  }
  return /^[^:]+:./s.test(credentials);
}

/** Whether an assertion is nested so deeply that the library's recursive copy would overflow the stack. */
function isNestedTooDeeply(assertion = ''): boolean {
  return assertion.split('.').some((part) => {
    try {
      return isNestedDeeper(JSON.parse(Buffer.from(part, 'base64url').toString()));
    } catch {
      return false;
    }
  });
}
