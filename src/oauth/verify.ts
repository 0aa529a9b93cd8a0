import type { errors as JoseErrors } from 'jose';
import type { Clock } from '../clock/clock.ts';
import type { Fingerprint } from '../clock/fingerprint.ts';
import { type RejectedToken, refuseExpiredToken, refuseInvalidToken } from './bearer.ts';
import type { Authority } from './mint.ts';
import { readClaims, type TimedToken, type VerifiedToken } from './token-claims.ts';

export type Verification = VerifiedToken | RejectedToken;

export interface Verifier {
  /** Verifies an access token, but not its client, principal or grant (specification: Authentication). */
  verify(token: string): Verification | Promise<Verification>;
}

/** The maximum length of a token, in characters. Longer tokens are refused before decoding. */
export const MAX_TOKEN_LENGTH = 8192;

const MAX_CACHED_TOKENS = 10_000;

/** The claims that RFC 9068 (section 2.2) requires, except `aud`, which jose always requires. */
const REQUIRED_CLAIMS = ['iss', 'exp', 'iat', 'sub', 'jti', 'client_id'];

export function createVerifier(
  { key, issuer, audience, principalClaim }: Omit<Authority, 'world'>,
  clock: Clock,
  fingerprint: Fingerprint,
): Verifier {
  let remembered = new Map<string, TimedToken>();

  /** Needed at every use of a token, because kit time advances, and loading a world can set it back. */
  function checkTime({ token, notBefore }: TimedToken): Verification {
    const now = clock.now();
    if (now >= token.expiresAt) return describeExpired(now);
    return now < notBefore ? describeNotYetValid(now) : token;
  }

  async function verifyUncached(token: string): Promise<Verification> {
    // Imported at the first token, so that the kit starts faster.
    const { errors, jwtVerify } = await import('jose');
    const now = clock.now();
    try {
      const { payload } = await jwtVerify(token, key.publicKey, {
        algorithms: ['EdDSA'],
        typ: 'at+jwt',
        audience,
        requiredClaims: REQUIRED_CLAIMS,
        currentDate: new Date(now),
      });
      if (payload.iss !== issuer && !isServerIssuer(payload.iss)) {
        throw new errors.JWTClaimValidationFailed('unexpected "iss" claim value', payload, 'iss', 'check_failed');
      }
      if (!isCanonical(token)) return refuseInvalidToken('The signature is not canonical base64url: the token was altered.');
      const result = readClaims(token, payload, principalClaim, fingerprint);
      if (typeof result === 'string') return refuseInvalidToken(result);
      if (remembered.size >= MAX_CACHED_TOKENS) remembered = new Map();
      remembered.set(token, result);
      return checkTime(result);
    } catch (error) {
      if (error instanceof errors.JWTExpired) return describeExpired(now);
      if (error instanceof errors.JWTClaimValidationFailed) {
        return error.claim === 'nbf' && error.reason === 'check_failed'
          ? describeNotYetValid(now)
          : refuseInvalidToken(describeInvalidClaim(error));
      }
      if (error instanceof errors.JWSSignatureVerificationFailed) return refuseInvalidToken(describeWrongSignature(token, issuer));
      if (error instanceof errors.JOSEAlgNotAllowed) return refuseInvalidToken('The algorithm (alg) of the access token must be EdDSA.');
      if (error instanceof errors.JOSEError) return refuseInvalidToken(UNREADABLE_MESSAGE);
      throw error;
    }
  }

  /** Returns the error message for an invalid claim, without the possibly secret value. */
  function describeInvalidClaim({ claim, reason }: JoseErrors.JWTClaimValidationFailed): string {
    if (claim === 'typ') return "The type (typ) in the access token's header must be at+jwt.";
    if (reason === 'missing') return `The access token lacks the claim ${claim}.`;
    if (claim === 'aud') return `The audience (aud) of the access token must be ${audience}.`;
    if (claim === 'iss') return `The issuer (iss) of the access token must be ${issuer} or the address of a kit's authorization server.`;
    return `The claim ${claim} of the access token is not a number of seconds.`;
  }

  return {
    verify(token) {
      const known = remembered.get(token);
      if (known) return checkTime(known);
      if (token.length > MAX_TOKEN_LENGTH) return refuseInvalidToken(`The access token is longer than ${MAX_TOKEN_LENGTH} characters.`);
      return verifyUncached(token);
    },
  };
}

const WRONG_SIGNATURE_MESSAGE =
  "The signature of the access token was not made with this world's key: the token is from another world, or was changed or truncated.";
/** The issuer of a world that the control API created. */
const WORLD_OF_ISSUER = /\/w\/([a-z0-9-]+)(?:\/auth)?$/;
const UNREADABLE_MESSAGE =
  'The access token is not a JWT that was signed by this service: its parts cannot be read. It may have been truncated or changed.';

/** Names the world that the token says it is from. The token is not trusted for anything else. */
function describeWrongSignature(token: string, issuer: string): string {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  const [, said] = /"iss":"(urn:experience-provider-kit:[^"]*|https?:[^"]*\/auth)"/.exec(payload) ?? [];
  const [own, other] = [issuer, said ?? issuer].map((iss) => WORLD_OF_ISSUER.exec(iss)?.[1]);
  if (own === other) return WRONG_SIGNATURE_MESSAGE;
  const [from, here] = [other, own].map((name) => (name === undefined ? "the kit's first world" : `the world "${name}"`));
  return `The access token belongs to ${from}. This is ${here}.`;
}

/**
 * Whether the signature is canonical base64url. The last character has 4 unused bits, so 15 other encodings of the same signature exist.
 */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** Whether `iss` could be a kit's authorization server. Any host and port are accepted, because the world's key has signed the token. */
const isServerIssuer = (iss: string | undefined): boolean => typeof iss === 'string' && /^https?:\/\/[^\s?#]+\/auth$/.test(iss);

const describeExpired = (now: number) => refuseExpiredToken(`The access token has expired; the current kit time is ${toIso(now)}.`);
const describeNotYetValid = (now: number) =>
  refuseInvalidToken(`The access token is not valid yet (nbf); the current kit time is ${toIso(now)}.`);

const toIso = (ms: number): string => new Date(ms).toISOString();
