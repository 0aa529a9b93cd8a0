import type { JWTPayload } from 'jose';

/** What a token says that was signed by this world's authority for this API, and is in its time. */
export interface VerifiedToken {
  /** The `jti`. */
  readonly id: string;
  readonly clientId: string;
  /** Who authorized the token; undefined when it has no principal claim. */
  readonly principalId: string | undefined;
  readonly scopes: ReadonlySet<string>;
  /** Kit time in milliseconds since the Unix epoch. It is valid before, not at that instant. */
  readonly expiresAt: number;
}

/** A token and its time, which is judged anew at each use. */
export interface TimedToken {
  readonly token: VerifiedToken;
  /** Kit time in milliseconds since the Unix epoch. */
  readonly notBefore: number;
}

/** Required claims (RFC 9068, section 2.2), besides `aud`, which jose requires itself. */
export const REQUIRED_CLAIMS = ['iss', 'exp', 'iat', 'sub', 'jti', 'client_id'];

/** RFC 6749, section 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** The largest instant that a Date can show. */
const LAST_INSTANT = 8.64e15;

/** Reads claims whose signature, issuer and audience are known to be right. A text says what is wrong with them. */
export function readClaims(claims: JWTPayload, principalClaim: string): TimedToken | string {
  const { jti, sub, client_id: clientId, scope, [principalClaim]: principalId } = claims;
  if (!isName(jti)) return wrong('jti', 'a non-empty string');
  if (!isName(sub)) return wrong('sub', 'a non-empty string');
  if (!isName(clientId)) return wrong('client_id', 'a non-empty string');
  if (scope !== undefined && !(typeof scope === 'string' && SCOPE.test(scope))) return wrong('scope', 'scopes with one space between them');
  if (principalId !== undefined && !isName(principalId)) return wrong(principalClaim, 'a non-empty string');
  const expiresAt = instant(claims.exp);
  if (expiresAt === undefined) return wrong('exp', 'an instant in seconds');
  const notBefore = claims.nbf === undefined ? Number.NEGATIVE_INFINITY : instant(claims.nbf);
  if (notBefore === undefined) return wrong('nbf', 'an instant in seconds');
  return { token: { id: jti, clientId, principalId, scopes: new Set(scope?.split(' ')), expiresAt }, notBefore };
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

const wrong = (claim: string, right: string): string => `The claim ${claim} is not ${right}.`;

/** Seconds to milliseconds. JSON can write numbers that are no instant, such as 1e999. */
function instant(seconds: number | undefined): number | undefined {
  const ms = Math.round((seconds ?? Number.NaN) * 1000);
  return Math.abs(ms) <= LAST_INSTANT ? ms : undefined;
}
