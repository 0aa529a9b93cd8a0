import { errors } from 'jose';

/** What a verifier expects; it may be told, unlike what the token holds. */
interface Expected {
  readonly issuer: string;
  readonly audience: string;
}

/** What was wrong with a token that the library refused, in words for the developer who sent it. Nothing of the token is repeated. */
export function explain(error: errors.JOSEError, token: string, expected: Expected): string {
  if (error instanceof errors.JWTClaimValidationFailed) return claimProblem(error, expected);
  if (error instanceof errors.JOSEAlgNotAllowed) return 'The access token says another algorithm (alg) than EdDSA, the only one accepted.';
  if (error instanceof errors.JWSSignatureVerificationFailed) return signatureProblem(token);
  if (error instanceof errors.JWTInvalid) return 'The claims of the access token are not a JSON object.';
  if (error instanceof errors.JOSENotSupported) return 'The header of the access token demands an extension (crit) that is not known here.';
  return 'The access token is not a signed JWT: its header or signature cannot be read. It may have been cut or altered.';
}

function claimProblem({ claim, reason }: errors.JWTClaimValidationFailed, expected: Expected): string {
  if (claim === 'typ') return 'The header of the access token does not say the type (typ) at+jwt: it is a JWT of another sort.';
  if (reason === 'missing') return `The access token lacks the claim ${claim}.`;
  if (claim === 'iss')
    return `The access token is from another issuer (iss) than ${expected.issuer} or the authorization server of a kit, such as http://127.0.0.1:4010/auth.`;
  if (claim === 'aud') return `The access token is for another audience (aud) than ${expected.audience}.`;
  return `The claim ${claim} of the access token is not a number of seconds.`;
}

/** An Ed25519 signature has 64 bytes: 86 characters of base64url. */
function signatureProblem(token: string): string {
  return token.length - token.lastIndexOf('.') - 1 === 86
    ? "The signature of the access token is not by this world's key: it is another world's token, or was altered."
    : 'The signature of the access token has not 64 bytes: the token was cut or altered.';
}
