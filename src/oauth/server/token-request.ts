import type { IncomingMessage } from 'node:http';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { isNestedDeeper, MAX_DEPTH } from '../../contract/validators.ts';
import { readForm } from './form.ts';
import { grantTypes } from './metadata.ts';
import { invalidRequest, isOAuthError, type OAuthError } from './oauth-error.ts';
import { decideScopes, parseScopes } from './scopes.ts';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Checked here because the library ignores trailing NUL characters when it compares secrets. */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** Other parameters are ignored (RFC 6749, section 3.2). */
const PARAMETERS = [
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
type TokenParameters = { [Name in (typeof PARAMETERS)[number]]?: string };

/**
 * Reads a token request and validates what does not depend on the client: the form, that there is exactly one client authentication, and the grant type.
 * The order of the checks is their precedence. Undefined if the client has disconnected.
 */
export async function readTokenRequest(req: IncomingMessage, decisions: Decisions): Promise<TokenParameters | OAuthError | undefined> {
  const form = await readForm(req);
  if (form === undefined) return undefined;
  if (typeof form === 'string') return invalidRequest(form);
  const sent = readParameters(form);
  if (isOAuthError(sent)) return sent;
  const basic = readBasic(req, decisions, sent.client_id);
  if (basic && isOAuthError(basic)) return basic;
  const refusal = validateAuthentication(sent, basic !== undefined);
  if (refusal) return refusal;
  const parameters: TokenParameters = { ...sent, ...basic };
  const { grant_type: grantType, client_id: clientId, client_secret: clientSecret } = parameters;
  if (clientSecret !== undefined && !PRINTABLE_ASCII.test(clientSecret)) {
    const description = 'The client_secret is wrong: a secret is printable ASCII (RFC 6749, appendix A.2).';
    return { status: 401, error: 'invalid_client', description, ...(basic && { headers: BASIC_CHALLENGE }) };
  }
  if (isNestedTooDeeply(parameters.client_assertion)) {
    const description = `The client_assertion has more than ${MAX_DEPTH} levels of lists and objects.`;
    return { status: 401, error: 'invalid_client', description };
  }
  if (grantType === undefined) return invalidRequest('The parameter grant_type is missing.');
  if (!grantTypes(decisions).includes(grantType)) {
    const description = `The grant_type is not supported; use one of: ${grantTypes(decisions).join(', ')}.`;
    return { status: 400, error: 'unsupported_grant_type', description };
  }
  if (grantType === 'authorization_code' && clientId === undefined) {
    return invalidRequest('The parameter client_id is missing: it is required to exchange a code with any client authentication.');
  }
  return grantType === 'authorization_code' ? parameters : withScopes(parameters, decisions);
}

/** The library copies the claims recursively: too many levels would overflow the stack. */
function isNestedTooDeeply(assertion = ''): boolean {
  return assertion.split('.').some((part) => {
    try {
      return isNestedDeeper(JSON.parse(Buffer.from(part, 'base64url').toString()));
    } catch {
      return false;
    }
  });
}

/** The parameters by name. An empty parameter counts as not sent (RFC 6749, section 3.2). */
function readParameters(form: URLSearchParams): TokenParameters | OAuthError {
  const parameters: TokenParameters = {};
  for (const name of PARAMETERS) {
    const values = form.getAll(name);
    if (values.length > 1) return invalidRequest(`The parameter ${name} was sent ${values.length} times; send it once.`);
    if (values[0]) parameters[name] = values[0];
  }
  return parameters;
}

function validateAuthentication(sent: TokenParameters, basic: boolean): OAuthError | undefined {
  const { client_secret: secret, client_assertion: assertion, client_assertion_type: type } = sent;
  const count = [secret !== undefined, assertion !== undefined || type !== undefined, basic].filter(Boolean).length;
  if (count > 1)
    return invalidRequest('The request has more than one client authentication; send either client_secret or client_assertion.');
  if (count === 0) {
    const description =
      'The request has no client authentication. Send client_secret, or client_assertion with client_assertion_type: this server supports only confidential clients.';
    return { status: 401, error: 'invalid_client', description };
  }
  if (assertion === undefined && type === undefined) return undefined;
  if (assertion === undefined) return invalidRequest('The request has a client_assertion_type, but no client_assertion.');
  if (type !== ASSERTION_TYPE) return invalidRequest(`With client_assertion, client_assertion_type must be ${ASSERTION_TYPE}.`);
  return undefined;
}

/** A refresh without scope keeps all granted scopes; with one, it narrows them. Other grants need a scope. */
function withScopes(parameters: TokenParameters, decisions: Decisions): TokenParameters | OAuthError {
  const { grant_type: grantType, scope } = parameters;
  if (grantType === 'refresh_token' && scope === undefined) return parameters;
  const scopes = grantType === 'refresh_token' ? parseScopes(String(scope), decisions) : decideScopes(scope, decisions);
  return isOAuthError(scopes) ? scopes : { ...parameters, scope: scopes.join(' ') };
}

/** Reads client credentials from HTTP Basic (decision oauth.client-basic). Undefined without an Authorization header. */
function readBasic(
  { headers }: Pick<IncomingMessage, 'headers'>,
  decisions: Decisions,
  clientId: string | undefined,
): { client_id: string; client_secret: string } | OAuthError | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const [scheme = '', encoded = ''] = authorization.trim().split(/[ \t]+/);
  if (scheme.toLowerCase() !== 'basic')
    return refusedHeader('The Authorization header must not have this scheme: client authentication belongs in the body.');
  if (decisions['oauth.client-basic'] === 'refused') {
    return refusedHeader('HTTP Basic is not accepted: send client_secret in the body, or client_assertion with client_assertion_type.');
  }
  const [, user, password] = /^([^:]*):([\s\S]*)$/.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  const id = decodeFormValue(user);
  const secret = decodeFormValue(password);
  if (!id || !secret)
    return refusedHeader('The Authorization header does not contain a client_id and a client_secret (RFC 6749, section 2.3.1).');
  if (clientId !== undefined && clientId !== id)
    return invalidRequest('The client_id in the body differs from the one in the Authorization header.');
  return { client_id: id, client_secret: secret };
}

/** RFC 6749, section 5.2: required after a failed authentication with the Authorization header. */
export const BASIC_CHALLENGE = { 'WWW-Authenticate': 'Basic realm="authorization server"' };

function refusedHeader(description: string): OAuthError {
  return { status: 401, error: 'invalid_client', description, headers: BASIC_CHALLENGE };
}

function decodeFormValue(text = ''): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'));
  } catch {
    return undefined;
  }
}
