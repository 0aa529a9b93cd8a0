import type { JWTPayload } from 'jose';
import type { Fingerprint } from '../clock/fingerprint.ts';
import type { TokenFacts } from '../contract/evidence.ts';

export interface VerifiedToken {
  readonly id: string;
  readonly fingerprint: string;
  /** Undefined for minted and ready-made tokens, because they have no grant. */
  readonly grantId: string | undefined;
  readonly clientId: string;
  /** Undefined without a principal claim. */
  readonly principalId: string | undefined;
  readonly scopes: ReadonlySet<string>;
  /** When the token expires: kit time, in milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}

export interface TimedToken {
  readonly token: VerifiedToken;
  /** When the token becomes valid: kit time, in milliseconds since the Unix epoch. */
  readonly notBefore: number;
}

/** The `scope` claim's syntax (RFC 6749, section 3.3). */
const SCOPE_PATTERN = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** The largest instant of a Date, in milliseconds since the Unix epoch. */
const MAX_DATE_MS = 8.64e15;

/** The `jti` contains the grant's id, for revocations. */
export const createGrantedTokenId = (grantId: string, id: string): string => `grant:${grantId}:${id}`;

/** Returns an error message if a claim is malformed. */
export function readClaims(encoded: string, claims: JWTPayload, principalClaim: string, fingerprint: Fingerprint): TimedToken | string {
  const { jti, sub, client_id: clientId, scope, exp, nbf = 0, [principalClaim]: principalId } = claims;
  const names = { jti, sub, client_id: clientId, ...(principalId !== undefined && { [principalClaim]: principalId }) };
  for (const [claim, value] of Object.entries(names)) if (!isNonEmptyString(value)) return describeMalformed(claim, 'a non-empty string');
  if (scope !== undefined && !(typeof scope === 'string' && SCOPE_PATTERN.test(scope)))
    return describeMalformed('scope', 'a list of scopes separated by single spaces');
  const [expiresAt, notBefore] = [toMilliseconds(exp), toMilliseconds(nbf)];
  if (expiresAt === undefined) return describeMalformed('exp', 'an instant in seconds');
  if (notBefore === undefined) return describeMalformed('nbf', 'an instant in seconds');
  const [, grantId] = /^grant:([^:]*):/.exec(String(jti)) ?? [];
  const scopes = new Set(scope?.split(' '));
  const token = { id: jti, fingerprint: fingerprint(encoded), grantId, clientId, principalId, scopes, expiresAt } as VerifiedToken;
  return { token, notBefore };
}

const isNonEmptyString = (value: unknown): value is string => typeof value === 'string' && value !== '';

const describeMalformed = (claim: string, expected: string): string => `The claim ${claim} is not ${expected}.`;

/** Returns undefined for numbers that a Date cannot represent, such as 1e999. */
function toMilliseconds(seconds: unknown): number | undefined {
  const ms = Math.round(Number(seconds) * 1000);
  return Math.abs(ms) <= MAX_DATE_MS ? ms : undefined;
}

export function describeVerifiedToken({ clientId, principalId, scopes, expiresAt }: VerifiedToken): TokenFacts {
  return {
    clientId,
    ...(principalId !== undefined && { principalId }),
    scopes: [...scopes],
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

export function describeUnverifiedToken(token: string, principalClaim: string): TokenFacts | undefined {
  const claims = decodePayload(token.split('.')[1]);
  if (!claims) return undefined;
  const { client_id: clientId, [principalClaim]: principalId, scope, exp, nbf } = claims;
  const expiresAt = toIsoTime(exp);
  const validFrom = toIsoTime(nbf);
  return {
    ...(isShort(clientId) && { clientId }),
    ...(isShort(principalId) && { principalId }),
    ...(isShort(scope) && { scopes: scope.split(' ') }),
    ...(expiresAt && { expiresAt }),
    ...(validFrom && { validFrom }),
  };
}

function decodePayload(part: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const claims = JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as unknown;
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= 200;

function toIsoTime(seconds: unknown): string | undefined {
  const date = new Date(typeof seconds === 'number' ? seconds * 1000 : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
