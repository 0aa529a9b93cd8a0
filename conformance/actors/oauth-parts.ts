import { createHash, createPrivateKey, type JsonWebKey, randomBytes, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { AssertionClient } from '../target/capabilities.ts';

export type Parameters = Readonly<Record<string, string>>;
/** Changes of a good request; undefined takes a parameter away. */
export type Changes = Readonly<Record<string, string | undefined>>;

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The scopes of operations. */
export const OPERATION_SCOPES = [
  'experience-connections:manage',
  'experience-assignments:manage',
  'experience-assignability:check',
  'users:manage',
] as const;

export const newVerifier = (): string => randomBytes(32).toString('base64url');

/** RFC 7636, section 4.2: base64url of the SHA-256, without padding. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

export function changed(parameters: Parameters, changes: Changes): Parameters {
  return Object.fromEntries(
    Object.entries({ ...parameters, ...changes }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** In the form encoding, but with %20 for a space: what everybody reads alike. */
export function encoded(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

/** A client assertion (RFC 7523) of now, good for a minute; `claims` replaces some of it. */
export function assertionOf(
  { clientId, privateJwk, audience }: AssertionClient,
  claims: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const payload = { iss: clientId, sub: clientId, aud: audience, jti: randomUUID(), iat: now, exp: now + 60, ...claims };
  const kid = privateJwk.kid === undefined ? {} : { kid: String(privateJwk.kid) };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: algorithmOf(privateJwk), typ: 'JWT', ...kid })
    .sign(createPrivateKey({ key: privateJwk, format: 'jwk' }));
}

/** The same claims as an unsigned JWT (RFC 7519, section 6). */
export function unsignedOf(assertion: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
  return `${header}.${assertion.split('.')[1]}.`;
}

const CURVES: Readonly<Record<string, string>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512', Ed25519: 'EdDSA' };

/** What the key says, or else what is usual for its type. */
function algorithmOf({ alg, crv }: JsonWebKey): string {
  return typeof alg === 'string' ? alg : (CURVES[crv ?? ''] ?? 'RS256');
}
