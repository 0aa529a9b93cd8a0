import { hash, randomBytes } from 'node:crypto';

const SALT = randomBytes(32).toString('base64url');

/** Returns a fingerprint of a secret, which shows whether two secrets are equal. Another process has another salt and so other fingerprints. */
export const fingerprint = (secret: string): string => hash('sha256', SALT + secret, 'base64url').slice(0, 16);
