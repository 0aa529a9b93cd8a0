import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/*
 * These keys are public knowledge, by design. Whoever knows the name of a world can compute its private key and sign tokens that this kit takes for
 * good. That is fine for a mock, and what keeps tokens in an `.env` alive over restarts; it must never guard anything real.
 */

/** A public Ed25519 key as a JSON Web Key (RFC 8037). */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** The 32 bytes of the key, base64url. */
  readonly x: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
}

/** An Ed25519 key pair. Not a secret: see the head of this file. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** The thumbprint of the public key (RFC 7638). */
  readonly kid: string;
  readonly publicJwk: PublicJwk;
}

/** What a key is for; each purpose of a world has a key of its own. `stranger` signs tokens that must be refused. */
export type KeyPurpose = 'access-tokens' | 'stranger';

const LABEL = 'experience-provider-kit signing key, version 1';

/** All of a PKCS #8 Ed25519 private key (RFC 8410) but the 32 bytes of the seed, which come last. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key of a world: a function of the world's name and the purpose alone, the same at every start and on every machine. */
export function worldSigningKey(world: string, purpose: KeyPurpose = 'access-tokens'): SigningKey {
  return signingKeyFromSeed(createHash('sha256').update(`${LABEL}\n${purpose}\n${world}`).digest());
}

/** @throws RangeError when the seed has not 32 bytes. */
export function signingKeyFromSeed(seed: Uint8Array): SigningKey {
  if (seed.length !== 32) throw new RangeError(`an Ed25519 seed has 32 bytes, not ${seed.length}`);
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const x = publicKey.export({ format: 'jwk' }).x!;
  const kid = thumbprint(x);
  return { privateKey, publicKey, kid, publicJwk: { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' } };
}

/** The JWK Set (RFC 7517) of a key: its public half only. */
export function publicJwks(key: SigningKey): { readonly keys: readonly PublicJwk[] } {
  return { keys: [key.publicJwk] };
}

/** RFC 7638: the hash of the required members, in alphabetical order and without white space. */
function thumbprint(x: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
}
