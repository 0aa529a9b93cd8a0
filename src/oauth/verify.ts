import type { KeyObject } from 'node:crypto';
import type { errors as JoseErrors } from 'jose';
import type { Clock } from '../clock/clock.ts';
import { expiredToken, invalidToken, type RejectedToken } from './bearer.ts';
import { SIGNATURE_LENGTH } from './keys.ts';
import { createTokenCache } from './token-cache.ts';
import { REQUIRED_CLAIMS, readClaims, type TimedToken, type VerifiedToken } from './token-claims.ts';

export interface VerifierSettings {
  /** The public half of the authority's key. */
  readonly key: KeyObject;
  /** The `iss` of minted and ready-made tokens. The authorization server puts its own address there instead. */
  readonly issuer: string;
  readonly audience: string;
  readonly principalClaim: string;
  readonly clock: Clock;
  /** The number of good tokens to remember. */
  readonly cacheSize?: number;
}

export type Verification = VerifiedToken | RejectedToken;

export interface Verifier {
  /**
   * Verifies that an access token was issued by this authority for this API and is valid now (Authentication; Errors: 401).
   *
   * Returns the result directly for remembered tokens, otherwise a promise. Does not check that the client and the principal still exist.
   */
  verify(token: string): Verification | Promise<Verification>;
  /** The numbers of remembered tokens. */
  readonly remembered: { readonly good: number; readonly bad: number };
}

/** Characters. Longer tokens are refused without being read. */
export const LONGEST_TOKEN = 8192;

const GOOD_CHARACTERS = 16 * 1024 * 1024;
/** Anyone can send any number of bad tokens. */
const BAD_LIMITS = { entries: 1000, characters: 1024 * 1024 };

/** Loaded with the first token, to keep the start fast. */
const loadLibrary = async () => ({ ...(await import('jose')), ...(await import('./jwt-errors.ts')) });

export function createVerifier(settings: VerifierSettings): Verifier {
  const { key, issuer, audience, principalClaim, clock, cacheSize = 10_000 } = settings;
  const good = createTokenCache<TimedToken>({ entries: cacheSize, characters: GOOD_CHARACTERS });
  const bad = createTokenCache<RejectedToken>(BAD_LIMITS);
  let loaded: ReturnType<typeof loadLibrary> | undefined;

  /** Compares a remembered token with the clock at every use: it may expire, and loading a state can set the clock back. */
  function checkTime({ token, notBefore }: TimedToken): Verification {
    const now = clock.now();
    if (now >= token.expiresAt) return expired(now);
    return now < notBefore ? notYetValid(now) : token;
  }

  async function verifyUnknown(token: string): Promise<Verification> {
    loaded ??= loadLibrary();
    const { errors, jwtVerify, explainJwtError } = await loaded;
    const now = clock.now();
    let result: TimedToken | string;
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
      result = isCanonical(token)
        ? readClaims(payload, principalClaim)
        : 'The signature is not canonical base64url: the token was altered.';
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      // Not remembered: the clock can move either way.
      if (error instanceof errors.JWTExpired) return expired(now);
      if (error instanceof errors.JWTClaimValidationFailed && isNotYetValid(error)) return notYetValid(now);
      result = explainJwtError(error, token, settings);
    }
    if (typeof result !== 'string') {
      good.set(token, result);
      return checkTime(result);
    }
    const rejected = invalidToken(result);
    bad.set(token, rejected);
    return rejected;
  }

  return {
    verify(token) {
      const remembered = good.get(token);
      if (remembered) return checkTime(remembered);
      const problem = shapeProblem(token);
      if (problem) return invalidToken(problem);
      return bad.get(token) ?? verifyUnknown(token);
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

/** Explains why a text cannot be a signed JWT, without decoding it. */
function shapeProblem(token: string): string | undefined {
  if (token.length > LONGEST_TOKEN) return `The access token is longer than ${LONGEST_TOKEN} characters.`;
  const parts = token.split('.');
  if (parts.length === 5) return 'The access token is an encrypted JWT; it must be a signed JWT.';
  if (parts.length !== 3) return 'The access token is not a JWT: it does not have three parts separated by dots.';
  return /^[\w.-]*$/.test(token) ? undefined : 'The access token is not a JWT: it has characters outside base64url.';
}

/** 86 characters have 4 bits more than the signature, so each token would have 16 spellings. The signature covers the other parts. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return signature.length === SIGNATURE_LENGTH && Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/**
 * Whether an `iss` has the form of a kit's authorization server. Any host and port will do: clients reach a world under several names, at several
 * replicas, and on another port after a restart. The signature proves that the token belongs to the world.
 */
const isServerIssuer = (iss: string | undefined): boolean => typeof iss === 'string' && /^https?:\/\/[^\s?#]+\/auth$/.test(iss);

const isNotYetValid = ({ claim, reason }: JoseErrors.JWTClaimValidationFailed): boolean => claim === 'nbf' && reason === 'check_failed';

const expired = (now: number) => expiredToken(`The access token has expired; it is ${iso(now)} by the kit's clock.`);
const notYetValid = (now: number) => invalidToken(`The access token is not valid yet (nbf); it is ${iso(now)} by the kit's clock.`);

const iso = (ms: number): string => new Date(ms).toISOString();
