import { type Failure, refuse } from '../contract/failure.ts';
import type { RuleId } from '../contract/generated/rules.ts';

export type TokenRule = Extract<RuleId, 'auth.token.missing' | 'auth.token.invalid' | 'auth.token.expired'>;

/** A 401 refusal (specification: Errors, 401). The detail omits the Authorization header's value, because it may contain a secret. */
export type RejectedToken = Failure<TokenRule, 401>;

const refuseMissingToken = (detail: string): RejectedToken => refuse(401, 'auth.token.missing', detail);
export const refuseInvalidToken = (detail: string): RejectedToken => refuse(401, 'auth.token.invalid', detail);
export const refuseExpiredToken = (detail: string): RejectedToken => refuse(401, 'auth.token.expired', detail);

interface BearerToken {
  readonly token: string;
}

/** The `b64token` syntax for bearer tokens (RFC 6750, section 2.1). */
const TOKEN_PATTERN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * Reads the access token from `Authorization: Bearer <ACCESS_TOKEN>` only (specification: Authentication).
 * @param request with `rawHeaders`, because `headers` omits a second Authorization header
 */
export function readBearer({ rawHeaders }: { readonly rawHeaders: readonly string[] }): BearerToken | RejectedToken {
  const [value, ...others] = listAuthorizationValues(rawHeaders);
  if (value === undefined)
    return refuseMissingToken(
      'The request has no Authorization header. Send the access token in this header; a token in the query or the body is not accepted.',
    );
  if (others.length > 0) return refuseInvalidToken(`The request has ${others.length + 1} Authorization headers; send exactly one.`);
  const [scheme = '', ...parts] = value.trim().split(/[ \t]+/);
  const token = parts.join(' ');
  if (scheme.toLowerCase() !== 'bearer' || token === '')
    return refuseMissingToken('The Authorization header must be "Bearer", a space and the access token.');
  if (!TOKEN_PATTERN.test(token))
    return refuseInvalidToken(
      'The access token has characters that a bearer token cannot have, such as spaces, quotes or commas (RFC 6750, section 2.1).',
    );
  return { token };
}

function listAuthorizationValues(rawHeaders: readonly string[]): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 13 && name.toLowerCase() === 'authorization') values.push(rawHeaders[i + 1]!);
  }
  return values;
}
