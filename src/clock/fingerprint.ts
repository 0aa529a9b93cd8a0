import { hash, randomBytes } from 'node:crypto';

/** Equal secrets have equal fingerprints. */
export type Fingerprint = (secret: string) => string;

/** @param salt random by default; equal salts give equal fingerprints */
export const createFingerprint =
  (salt = randomBytes(32).toString('base64url')): Fingerprint =>
  (secret) =>
    hash('sha256', salt + secret, 'base64url').slice(0, 16);
