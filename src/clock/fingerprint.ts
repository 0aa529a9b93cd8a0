import { hash, randomBytes } from 'node:crypto';

/** Returns a fingerprint of a secret, which shows whether two secrets are equal. */
export type Fingerprint = (secret: string) => string;

/** @param salt kits with the same salt have the same fingerprints; by default, no other process has the same */
export const createFingerprint =
  (salt = randomBytes(32).toString('base64url')): Fingerprint =>
  (secret) =>
    hash('sha256', salt + secret, 'base64url').slice(0, 16);
