import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** These keys are not secret: anyone who knows a world's name can compute them. They must never protect real data. */

export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** The public key's thumbprint (RFC 7638). */
  readonly kid: string;
  /** The public key as a JSON Web Key (RFC 8037). */
  readonly publicJwk: Readonly<Record<'kty' | 'crv' | 'x' | 'kid' | 'use' | 'alg', string>>;
}

/** The `stranger` key signs tokens that the kit must refuse. */
type KeyPurpose = 'access-tokens' | 'stranger';

const KEY_DERIVATION_LABEL = 'experience-provider-kit signing key, version 1';

/** The start of an Ed25519 private key in PKCS #8 (RFC 8410), before the 32-byte seed. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Derives a key that is the same for every start and on every machine. */
export function deriveSigningKey(world: string, purpose: KeyPurpose = 'access-tokens'): SigningKey {
  return createSigningKey(createHash('sha256').update(`${KEY_DERIVATION_LABEL}\n${purpose}\n${world}`).digest());
}

function createSigningKey(seed: Uint8Array): SigningKey {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const { x = '' } = publicKey.export({ format: 'jwk' });
  // An RFC 7638 thumbprint hashes the required members, in alphabetical order, without white space.
  const required = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  const kid = createHash('sha256').update(required).digest('base64url');
  return { privateKey, publicKey, kid, publicJwk: { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' } };
}
