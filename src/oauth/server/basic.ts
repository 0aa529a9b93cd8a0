import type { IncomingMessage } from 'node:http';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { invalidRequest, type OAuthError } from './oauth-error.ts';

/**
 * HTTP Basic as client authentication (decision oauth.client-basic): what it says, as if it stood in the body. Undefined where there is no Authorization
 * header.
 */
export function readBasic(
  { headers }: Pick<IncomingMessage, 'headers'>,
  decisions: Decisions,
  clientId: string | undefined,
): { client_id: string; client_secret: string } | OAuthError | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const [scheme = '', encoded = ''] = authorization.trim().split(/[ \t]+/);
  if (scheme.toLowerCase() !== 'basic')
    return refused('The Authorization header is not understood here: client authentication is in the body.');
  if (decisions['oauth.client-basic'] === 'refused') {
    return refused('HTTP Basic is not accepted: send client_secret in the body, or client_assertion with client_assertion_type.');
  }
  const [, user, password] = /^([^:]*):([\s\S]*)$/.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  const id = formDecoded(user);
  const secret = formDecoded(password);
  if (!id || !secret) return refused('The Authorization header holds no client_id and client_secret (RFC 6749, section 2.3.1).');
  if (clientId !== undefined && clientId !== id)
    return invalidRequest('The client_id of the body is not that of the Authorization header.');
  return { client_id: id, client_secret: secret };
}

/** RFC 6749, section 5.2: whoever authenticated by the header is told a scheme in the answer. */
export const BASIC_CHALLENGE = { 'WWW-Authenticate': 'Basic realm="authorization server"' };

function refused(description: string): OAuthError {
  return { status: 401, error: 'invalid_client', description, headers: BASIC_CHALLENGE };
}

function formDecoded(text = ''): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'));
  } catch {
    return undefined;
  }
}
