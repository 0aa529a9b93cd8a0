import { errors } from 'jose';
import { SIGNATURE_LENGTH } from './keys.ts';

interface Expected {
  readonly issuer: string;
  readonly audience: string;
}

/** Explains to the developer who sent a token why the library refused it. Nothing of the token is repeated: it may be a secret. */
export function explainJwtError(error: errors.JOSEError, token: string, expected: Expected): string {
  if (error instanceof errors.JWTClaimValidationFailed) return claimProblem(error, expected);
  if (error instanceof errors.JOSEAlgNotAllowed) return 'The algorithm (alg) of the access token must be EdDSA.';
  if (error instanceof errors.JWSSignatureVerificationFailed) return signatureProblem(token);
  if (error instanceof errors.JWTInvalid) return 'The claims of the access token are not a JSON object.';
  if (error instanceof errors.JOSENotSupported) return 'The header of the access token requires an extension (crit) that is not supported.';
  return 'The access token is not a signed JWT: its header or signature cannot be read. It may have been cut or altered.';
}

function claimProblem({ claim, reason }: errors.JWTClaimValidationFailed, { issuer, audience }: Expected): string {
  if (claim === 'typ') return 'The type (typ) in the header of the access token must be at+jwt.';
  if (reason === 'missing') return `The access token lacks the claim ${claim}.`;
  if (claim === 'iss')
    return `The issuer (iss) of the access token must be ${issuer} or the authorization server of a kit, such as http://127.0.0.1:4010/auth.`;
  if (claim === 'aud') return `The audience (aud) of the access token must be ${audience}.`;
  return `The claim ${claim} of the access token is not a number of seconds.`;
}

function signatureProblem(token: string): string {
  return token.length - token.lastIndexOf('.') - 1 === SIGNATURE_LENGTH
    ? "The signature of the access token was not made with this world's key: the token is from another world, or was altered."
    : 'The signature of the access token does not have 64 bytes: the token was cut or altered.';
}
