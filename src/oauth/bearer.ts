import { type Failure, refuse } from '../contract/failure.ts';
import type { RuleId } from '../contract/generated/rules.ts';

export type TokenRule = Extract<RuleId, 'auth.token.missing' | 'auth.token.invalid' | 'auth.token.expired'>;

/** Why a request is not authenticated (Errors: 401). The detail never repeats what was sent: it may be a secret. */
export type RejectedToken = Failure<TokenRule, 401>;

const missingToken = (detail: string): RejectedToken => refuse(401, 'auth.token.missing', detail);
export const invalidToken = (detail: string): RejectedToken => refuse(401, 'auth.token.invalid', detail);
export const expiredToken = (detail: string): RejectedToken => refuse(401, 'auth.token.expired', detail);

/** A token that has not been verified yet. */
interface Bearer {
  readonly token: string;
}

/** The parts of a request that matter here; Node's IncomingMessage fits. */
interface BearerSource {
  /** Names and values alternate. `headers` is not enough: it drops a second Authorization header. */
  readonly rawHeaders: readonly string[];
  readonly url?: string | undefined;
}

/** RFC 6750, section 2.1: `b64token`. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/** Reads the access token from `Authorization: Bearer <ACCESS_TOKEN>`, the only place where one is accepted (Authentication). */
export function readBearer(request: BearerSource): Bearer | RejectedToken {
  const values = authorizationValues(request.rawHeaders);
  if (values.length === 0) return missingToken(noHeader(request.url));
  if (values.length > 1) return invalidToken(`The request has ${values.length} Authorization headers; send exactly one.`);
  const [scheme = '', ...parts] = values[0]!.trim().split(/[ \t]+/);
  if (scheme === '') return missingToken('The Authorization header is empty; send "Bearer", a space and the access token.');
  if (scheme.toLowerCase() !== 'bearer') return missingToken(otherScheme(scheme, parts.length));
  const [token] = parts;
  if (token === undefined) return missingToken('The Authorization header says "Bearer" but no access token follows.');
  if (parts.length > 1)
    return invalidToken('Something follows the access token; the header must be "Bearer", a space and the access token.');
  if (!TOKEN.test(token))
    return invalidToken(
      'The access token has characters that a bearer token cannot have, such as quotes or commas (RFC 6750, section 2.1).',
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

function noHeader(url: string | undefined): string {
  return url !== undefined && /[?&]access_token=/.test(url)
    ? 'There is no Authorization header. A token in the query parameter access_token is not accepted.'
    : 'There is no Authorization header.';
}

function otherScheme(scheme: string, following: number): string {
  if (following === 0 && scheme.includes('.'))
    return 'The Authorization header has no scheme; put "Bearer" and a space before the access token.';
  return 'The scheme of the Authorization header must be Bearer.';
}
