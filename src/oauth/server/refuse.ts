import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { errors } from 'oidc-provider';
import { gates } from '../../contract/generated/gates.ts';
import { isUnavailable } from '../../store/errors.ts';
import type { AuthorizationContext } from './context.ts';
import { formatRefusalPage, sendPage } from './page.ts';

export function sendRefusal(
  context: AuthorizationContext,
  req: IncomingMessage,
  res: ServerResponse,
  cause: unknown,
  asPage: boolean,
): void {
  const isRefusal = cause instanceof errors.OIDCProviderError && cause.expose;
  if (!isRefusal) context.logError(cause, req);
  if (res.headersSent || res.destroyed) return;
  const { statusCode: status, error, ...reason } = isRefusal ? cause : isUnavailable(cause) ? UNAVAILABLE_ERROR : UNEXPECTED_ERROR;
  const description = describeError(reason);
  const headers = {
    ...(status === 503 && { 'Retry-After': '1' }),
    // RFC 6749 (section 5.2) requires this header if the client authenticated with an Authorization header.
    ...(status === 401 && req.headers.authorization !== undefined && { 'WWW-Authenticate': 'Basic realm="authorization server"' }),
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
  };
  if (asPage) {
    sendPage(res, status, formatRefusalPage(error, description), headers);
  } else if (context.decisions['oauth.error-body'] === 'problem') {
    const title = `${STATUS_CODES[status] ?? 'Refused'} (${error})`;
    context.sendProblem(res, { id: 'oauth.error-body', status, title, detail: description }, headers);
  } else {
    const body = Buffer.from(JSON.stringify({ error, error_description: replaceInvalidCharacters(description) }));
    res.writeHead(status, { ...headers, 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
  }
}

const UNEXPECTED_ERROR = {
  statusCode: 500,
  error: 'server_error',
  error_description:
    "The authorization server failed while it handled the request. The kit's log contains the cause with the request's trace id.",
};

const UNAVAILABLE_ERROR = { statusCode: 503, error: 'temporarily_unavailable', error_description: gates['http.unavailable'].text };

const LIBRARY_MESSAGES: Readonly<Record<string, string>> = {
  "redirect_uri did not match any of the client's registered redirect_uris":
    "The redirect_uri is not registered for the client. To register it, run: xpk state set clients <client_id> 'redirectUris+=<redirect_uri>'",
  'client_id mismatch': 'The client_id differs from the client in the client authentication (the sub of a client_assertion).',
  'client mismatch': 'The code or refresh token was issued to another client.',
  'authorization code not found': 'The code does not exist: it was never issued, or its grant was revoked.',
  'refresh token not found': 'The refresh token does not exist: it was never issued, or was revoked.',
  'grant not found': 'The grant was revoked.',
  'alg mismatch': 'The client_assertion must be signed with a public-key algorithm (alg).',
  'signature verification failed': "The client_assertion was not signed with the client's registered key.",
  'no applicable key found in the JSON Web Key Set':
    'The key and algorithm (kid, alg) of the client_assertion are not registered for the client.',
  'jwt expired': 'The client_assertion has expired (exp) in wall time.',
  'jwt not active yet': 'The client_assertion is not valid yet (nbf) in wall time.',
};

interface Reason {
  readonly error_detail?: string | undefined;
  readonly error_description?: string | undefined;
}

function describeError({ error_detail: detail, error_description: description = '' }: Reason): string {
  const text = detail ?? description;
  return LIBRARY_MESSAGES[text] ?? text;
}

/** Replaces characters that an error_description must not contain (RFC 6749, section 5.2). */
function replaceInvalidCharacters(text: string): string {
  return text
    .replaceAll(/[“”"]/g, "'")
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .replaceAll('\\', '/');
}
