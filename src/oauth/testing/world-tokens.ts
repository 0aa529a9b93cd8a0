import { randomUUID } from 'node:crypto';
import { CompactSign } from 'jose';
import { createClock } from '../../clock/clock.ts';
import { createFingerprint } from '../../clock/fingerprint.ts';
import { worldSigningKey } from '../keys.ts';
import { type Authority, accessTokenClaims, type MintRequest, mintToken } from '../mint.ts';
import { createVerifier } from '../verify.ts';

export const fingerprint = createFingerprint();

/** The kit time at the start of each test. It has a fraction of a second, because whole seconds would hide rounding errors. */
export const START = Date.parse('2026-03-01T12:00:00.250Z');

export const CLIENT = '019c0000-0000-7000-8000-00000000000c';
export const PRINCIPAL = '019c0000-0000-7000-8000-0000000000aa';

export const authorityOf = (world: string): Authority => ({
  world,
  issuer: 'https://auth.example.test',
  audience: 'https://api.example.test',
  principalClaim: 'urn:example:claims:principal_id',
  key: worldSigningKey(world),
});

/** Creates an authority, its token verifier, and a clock that changes only when a test advances it. */
export function tokenWorld(world = 'demo', settings: Partial<Authority> = {}) {
  const authority = authorityOf(world);
  const clock = createClock(() => START);
  const verifier = createVerifier({ ...authority, ...settings }, clock, fingerprint);
  const request = (changes: Partial<MintRequest> = {}): MintRequest => ({
    clientId: CLIENT,
    principalId: PRINCIPAL,
    scopes: ['users:manage'],
    issuedAt: clock.now(),
    expiresIn: 3600,
    kind: 'good',
    id: randomUUID(),
    ...changes,
  });
  return {
    authority,
    clock,
    verifier,
    mint: (changes: Partial<MintRequest> = {}) => mintToken(authority, request(changes)),
    /** Signs any payload and header with the key of the authority. */
    sign: (payload: string | Uint8Array, header: Record<string, unknown> = {}) =>
      new CompactSign(typeof payload === 'string' ? new TextEncoder().encode(payload) : payload)
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', ...header })
        .sign(authority.key.privateKey),
    claims: (changes: Record<string, unknown> = {}) => JSON.stringify({ ...accessTokenClaims(authority, request()), ...changes }),
  };
}
