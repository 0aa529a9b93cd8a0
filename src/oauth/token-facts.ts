import type { TokenFacts } from '../contract/evidence.ts';
import type { VerifiedToken } from './token-claims.ts';

/** What is said of a token that was verified. */
export function factsOf({ clientId, principalId, scopes, expiresAt }: VerifiedToken): TokenFacts {
  return {
    clientId,
    ...(principalId !== undefined && { principalId }),
    scopes: [...scopes],
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

/** Longer values are nothing that this kit issues. */
const LONGEST = 200;

/** What a token claims that was not, or could not be, verified: only of whom it is and when. Undefined where it cannot be read. */
export function readFacts(token: string, principalClaim: string): TokenFacts | undefined {
  const claims = claimsOf(token.split('.')[1]);
  if (!claims) return undefined;
  const { client_id: clientId, [principalClaim]: principalId, scope, exp, nbf } = claims;
  const expiresAt = instant(exp);
  const validFrom = instant(nbf);
  return {
    ...(isShort(clientId) && { clientId }),
    ...(isShort(principalId) && { principalId }),
    ...(isShort(scope) && { scopes: scope.split(' ') }),
    ...(expiresAt && { expiresAt }),
    ...(validFrom && { validFrom }),
  };
}

function claimsOf(part: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const claims = JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as unknown;
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= LONGEST;

function instant(seconds: unknown): string | undefined {
  const at = new Date(typeof seconds === 'number' ? seconds * 1000 : Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
