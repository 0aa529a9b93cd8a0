import type { KeyObject } from 'node:crypto';
import type { errors as JoseErrors } from 'jose';
import type { Clock } from '../clock/clock.ts';
import { expiredToken, invalidToken, type RejectedToken } from './rejected-token.ts';
import { isServerIssuer } from './server/addresses.ts';
import { createTokenCache } from './token-cache.ts';
import { REQUIRED_CLAIMS, readClaims, type TimedToken, type VerifiedToken } from './token-claims.ts';

export interface VerifierSettings {
  /** The public half of the authority's key. */
  readonly key: KeyObject;
  /** The `iss` of ready-made and minted tokens. Those of the authorization server have its address instead. */
  readonly issuer: string;
  readonly audience: string;
  readonly principalClaim: string;
  readonly clock: Clock;
  /** How many good tokens are remembered. */
  readonly cacheSize?: number;
}

export type Verification = VerifiedToken | RejectedToken;

export interface Verifier {
  /**
   * Is this the text of an access token of this authority, for this API, in its time (Authentication; Errors: 401)?
   *
   * Answers at once for a token it remembers, else by a promise. Whether the client and the principal still exist is not asked here: they come and
   * go, a signature stays.
   */
  verify(token: string): Verification | Promise<Verification>;
  /** How many tokens are remembered. */
  readonly remembered: { readonly good: number; readonly bad: number };
}

/** Longer ones are refused unread. In characters; those of a token take a byte each. */
export const LONGEST_TOKEN = 8192;

const SIGNATURE_LENGTH = 86;
const GOOD_CHARACTERS = 16 * 1024 * 1024;
/** Anyone can send bad tokens without end. */
const BAD_LIMITS = { entries: 1000, characters: 1024 * 1024 };

/** Loaded at the first token: a start does not wait for it. */
const library = async () => ({ ...(await import('jose')), ...(await import('./why-invalid.ts')) });

export function createVerifier(settings: VerifierSettings): Verifier {
  const { key, issuer, audience, principalClaim, clock, cacheSize = 10_000 } = settings;
  const good = createTokenCache<TimedToken>({ entries: cacheSize, characters: GOOD_CHARACTERS });
  const bad = createTokenCache<RejectedToken>(BAD_LIMITS);
  let loaded: ReturnType<typeof library> | undefined;

  /** A remembered token is judged by the clock at every use: it ages, and the clock of a loaded state may be behind. */
  function inTime({ token, notBefore }: TimedToken): Verification {
    const now = clock.now();
    if (now >= token.expiresAt) return tooLate(now);
    return now < notBefore ? tooEarly(now) : token;
  }

  async function verifyAnew(token: string): Promise<Verification> {
    loaded ??= library();
    const { errors, jwtVerify, explain } = await loaded;
    const now = clock.now();
    let found: TimedToken | string;
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['EdDSA'],
        typ: 'at+jwt',
        audience,
        requiredClaims: REQUIRED_CLAIMS,
        currentDate: new Date(now),
      });
      if (payload.iss !== issuer && !isServerIssuer(payload.iss)) {
        throw new errors.JWTClaimValidationFailed('unexpected "iss" claim value', payload, 'iss', 'check_failed');
      }
      found = isCanonical(token)
        ? readClaims(payload, principalClaim)
        : 'The signature is not written in canonical base64url: the token was altered.';
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      // Time passes, or is loaded: neither of the two answers lasts.
      if (error instanceof errors.JWTExpired) return tooLate(now);
      if (error instanceof errors.JWTClaimValidationFailed && isTooEarly(error)) return tooEarly(now);
      found = explain(error, token, settings);
    }
    if (typeof found !== 'string') {
      good.set(token, found);
      return inTime(found);
    }
    const rejected = invalidToken(found);
    bad.set(token, rejected);
    return rejected;
  }

  return {
    verify(token) {
      const known = good.get(token);
      if (known) return inTime(known);
      const misshapen = shapeProblem(token);
      if (misshapen) return invalidToken(misshapen);
      return bad.get(token) ?? verifyAnew(token);
    },
    remembered: {
      get good() {
        return good.size;
      },
      get bad() {
        return bad.size;
      },
    },
  };
}

/** What is wrong with a text that cannot be a signed JWT, before any of it is decoded. */
function shapeProblem(token: string): string | undefined {
  if (token.length > LONGEST_TOKEN) return `The access token is longer than ${LONGEST_TOKEN} characters.`;
  const parts = token.split('.');
  if (parts.length === 5) return 'The access token is an encrypted JWT; it has to be a signed one.';
  if (parts.length !== 3) return 'The access token is not a JWT: it has not three parts with dots between them.';
  return /^[\w.-]*$/.test(token) ? undefined : 'The access token is not a JWT: it has characters that base64url does not have.';
}

/** 86 characters hold 4 bits more than the signature: without this, a token would have 16 spellings. The other parts are covered by the signature. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return signature.length === SIGNATURE_LENGTH && Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

const isTooEarly = ({ claim, reason }: JoseErrors.JWTClaimValidationFailed): boolean => claim === 'nbf' && reason === 'check_failed';

const tooLate = (now: number) => expiredToken(`The access token has expired; it is ${iso(now)} by the kit's clock.`);
const tooEarly = (now: number) => invalidToken(`The access token is not valid yet (nbf); it is ${iso(now)} by the kit's clock.`);

const iso = (ms: number): string => new Date(ms).toISOString();
