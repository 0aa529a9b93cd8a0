/** `good`, or the one way in which a minted token is broken: TokenKind of the control API. */
export type TokenKind =
  | 'good'
  | 'expired'
  | 'not-yet-valid'
  | 'wrong-signature'
  | 'alg-none'
  | 'wrong-algorithm'
  | 'wrong-issuer'
  | 'wrong-audience'
  | 'no-expiry'
  | 'no-client'
  | 'unknown-client'
  | 'unknown-principal'
  | 'no-principal'
  | 'malformed-claims'
  | 'truncated'
  | 'not-a-jwt';
