import { invalidToken, missingToken, type RejectedToken } from './rejected-token.ts';

/** A token as it was sent: not yet verified. */
export interface Bearer {
  readonly token: string;
}

/** What is read of a request; Node's IncomingMessage fits. */
export interface BearerSource {
  /** Names and values in turn. `headers` will not do: it silently drops a second Authorization header. */
  readonly rawHeaders: readonly string[];
  readonly url?: string | undefined;
}

/** RFC 6750, section 2.1: `b64token`. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/** The access token in the header `Authorization: Bearer <ACCESS_TOKEN>` (Authentication). Nowhere else is one accepted. */
export function readBearer(request: BearerSource): Bearer | RejectedToken {
  const values = authorizationValues(request.rawHeaders);
  if (values.length === 0) return missingToken(nothingSent(request.url));
  if (values.length > 1) return invalidToken(`There are ${values.length} Authorization headers; send exactly one.`);
  const [scheme = '', ...parts] = values[0]!.trim().split(/[ \t]+/);
  if (scheme === '') return missingToken('The Authorization header is empty; send "Bearer", a space and the access token.');
  if (scheme.toLowerCase() !== 'bearer') return missingToken(otherScheme(scheme, parts.length));
  const [token] = parts;
  if (token === undefined) return missingToken('The Authorization header says "Bearer" but no access token follows.');
  if (parts.length > 1)
    return invalidToken('Something follows the access token; the header is "Bearer", a space, the access token and nothing more.');
  if (!TOKEN.test(token))
    return invalidToken(
      'The access token has characters that a bearer token cannot have (RFC 6750, section 2.1), such as quotes or commas.',
    );
  return { token };
}

function authorizationValues(rawHeaders: readonly string[]): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 13 && name.toLowerCase() === 'authorization') values.push(rawHeaders[i + 1]!);
  }
  return values;
}

function nothingSent(url: string | undefined): string {
  return url !== undefined && /[?&]access_token=/.test(url)
    ? 'There is no Authorization header. A token in the query parameter access_token is not accepted.'
    : 'There is no Authorization header.';
}

function otherScheme(scheme: string, following: number): string {
  if (following === 0 && scheme.includes('.'))
    return 'The Authorization header has no scheme; put "Bearer" and a space before the access token.';
  return 'The Authorization header has another scheme than Bearer, the only one accepted.';
}
