import { type KeyObject, randomUUID } from 'node:crypto';

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export interface AssertionKey {
  readonly key: KeyObject;
  readonly alg: string;
  readonly kid: string | undefined;
}

const ALGORITHM_BY_CURVE: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };

/** Returns the algorithm for a key without `alg`, or undefined for an unusable key. */
export function findDefaultAlgorithm({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  if (asymmetricKeyType === 'rsa') return 'RS256';
  if (asymmetricKeyType === 'ed25519') return 'EdDSA';
  return ALGORITHM_BY_CURVE[asymmetricKeyDetails?.namedCurve ?? ''];
}

/** @param lifetimeSeconds the lifetime in seconds of wall time */
export async function signAssertion(
  { key, alg, kid }: AssertionKey,
  client: string,
  audience: string,
  lifetimeSeconds: number,
): Promise<string> {
  const { SignJWT } = await import('jose');
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ iss: client, sub: client, aud: audience, jti: randomUUID(), iat: now, exp: now + lifetimeSeconds })
    .setProtectedHeader({ alg, ...(kid !== undefined && { kid }), typ: 'JWT' })
    .sign(key);
}
