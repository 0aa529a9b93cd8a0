import type { IncomingMessage } from 'node:http';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { isNestedDeeper, MAX_DEPTH } from '../../contract/validators.ts';
import { BASIC_CHALLENGE, readBasic } from './basic.ts';
import { grantTypes } from './documents.ts';
import { readForm } from './form.ts';
import { judgeRequestedScopes, judgeScopes } from './judge-scopes.ts';
import { invalidRequest, isOAuthError, type OAuthError } from './oauth-error.ts';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Checked here because the library ignores NUL characters at the end of a secret when it compares. */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** All that is understood here; other parameters are ignored (RFC 6749, section 3.2). */
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
export type TokenParameters = { [Name in (typeof PARAMETERS)[number]]?: string };

/**
 * Reads a token request and judges all that can be without knowing the client: its form, that there is exactly one client authentication, and that the
 * grant type is served. The order of the lines is the precedence. Undefined where the client has gone.
 */
export async function readTokenRequest(req: IncomingMessage, decisions: Decisions): Promise<TokenParameters | OAuthError | undefined> {
  const form = await readForm(req);
  if (form === undefined) return undefined;
  if (typeof form === 'string') return invalidRequest(form);
  const sent = known(form);
  if (isOAuthError(sent)) return sent;
  const basic = readBasic(req, decisions, sent.client_id);
  if (basic && isOAuthError(basic)) return basic;
  const refusal = oneAuthentication(sent, basic !== undefined);
  if (refusal) return refusal;
  const parameters: TokenParameters = { ...sent, ...basic };
  const { grant_type: grantType, client_id: clientId, client_secret: clientSecret } = parameters;
  if (clientSecret !== undefined && !PRINTABLE_ASCII.test(clientSecret)) {
    const description = 'The client_secret is not that of the client: a secret is printable ASCII (RFC 6749, appendix A.2).';
    return { status: 401, error: 'invalid_client', description, ...(basic && { headers: BASIC_CHALLENGE }) };
  }
  if (isNestedTooDeeply(parameters.client_assertion)) {
    const description = `The client_assertion has more than ${MAX_DEPTH} levels of lists and objects.`;
    return { status: 401, error: 'invalid_client', description };
  }
  if (grantType === undefined) return invalidRequest('The parameter grant_type is missing.');
  if (!grantTypes(decisions).includes(grantType)) {
    const description = `This grant_type is not served; there are: ${grantTypes(decisions).join(', ')}.`;
    return { status: 400, error: 'unsupported_grant_type', description };
  }
  if (grantType === 'authorization_code' && clientId === undefined) {
    return invalidRequest('The parameter client_id is missing: a code is exchanged with it, whatever the client authentication.');
  }
  return grantType === 'authorization_code' ? parameters : withScopes(parameters, decisions);
}

/** The library copies the claims, which needs stack for each level. */
function isNestedTooDeeply(assertion = ''): boolean {
  return assertion.split('.').some((part) => {
    try {
      return isNestedDeeper(JSON.parse(Buffer.from(part, 'base64url').toString()));
    } catch {
      return false;
    }
  });
}

/** The parameters by name. Those without a value count as not sent (RFC 6749, section 3.2). */
function known(form: URLSearchParams): TokenParameters | OAuthError {
  const parameters: TokenParameters = {};
  for (const name of PARAMETERS) {
    const values = form.getAll(name);
    if (values.length > 1) return invalidRequest(`The parameter ${name} was sent ${values.length} times; send it once.`);
    if (values[0]) parameters[name] = values[0];
  }
  return parameters;
}

function oneAuthentication(sent: TokenParameters, basic: boolean): OAuthError | undefined {
  const { client_secret: secret, client_assertion: assertion, client_assertion_type: type } = sent;
  const count = [secret !== undefined, assertion !== undefined || type !== undefined, basic].filter(Boolean).length;
  if (count > 1)
    return invalidRequest('There is more than one client authentication; send exactly one: client_secret, or client_assertion.');
  if (count === 0) {
    const description =
      'There is no client authentication, and only confidential clients are served: send client_secret, or client_assertion with client_assertion_type.';
    return { status: 401, error: 'invalid_client', description };
  }
  if (assertion === undefined && type === undefined) return undefined;
  if (assertion === undefined) return invalidRequest('There is a client_assertion_type, but no client_assertion.');
  if (type !== ASSERTION_TYPE) return invalidRequest(`With client_assertion, client_assertion_type has to be ${ASSERTION_TYPE}.`);
  return undefined;
}

/** The scope of a refresh is a part of what was granted, or all of it where it is left out; other grants have nothing to fall back on. */
function withScopes(parameters: TokenParameters, decisions: Decisions): TokenParameters | OAuthError {
  const { grant_type: grantType, scope } = parameters;
  if (grantType === 'refresh_token' && scope === undefined) return parameters;
  const scopes = grantType === 'refresh_token' ? judgeScopes(String(scope), decisions) : judgeRequestedScopes(scope, decisions);
  return isOAuthError(scopes) ? scopes : { ...parameters, scope: scopes.join(' ') };
}
