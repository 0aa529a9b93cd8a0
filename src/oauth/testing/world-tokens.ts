import { randomUUID } from 'node:crypto';
import { CompactSign } from 'jose';
import { createClock } from '../../clock/clock.ts';
import { createFingerprint } from '../../clock/fingerprint.ts';
import { deriveSigningKey } from '../keys.ts';
import { type Authority, createAccessTokenClaims, type MintRequest, mintToken } from '../mint.ts';
import { createVerifier } from '../verify.ts';

export const fingerprint = createFingerprint();

/** Kit time when each test starts, with milliseconds, because whole seconds would hide rounding errors. */
export const START_MS = Date.parse('2026-03-01T12:00:00.250Z');

export const CLIENT_ID = '019c0000-0000-7000-8000-00000000000c';
export const PRINCIPAL_ID = '019c0000-0000-7000-8000-0000000000aa';

export const createAuthority = (world: string): Authority => ({
  world,
  issuer: 'https://auth.example.test',
  audience: 'https://api.example.test',
  principalClaim: 'urn:example:claims:principal_id',
  key: deriveSigningKey(world),
});

export function createMinterAndVerifier(worldName = 'demo', verifierSettings: Partial<Authority> = {}) {
  const authority = createAuthority(worldName);
  const clock = createClock(() => START_MS);
  const verifier = createVerifier({ ...authority, ...verifierSettings }, clock, fingerprint);
  const createRequest = (changes: Partial<MintRequest> = {}): MintRequest => ({
    clientId: CLIENT_ID,
    principalId: PRINCIPAL_ID,
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
    mint: (changes: Partial<MintRequest> = {}) => mintToken(authority, createRequest(changes)),
    sign: (payload: string | Uint8Array, header: Record<string, unknown> = {}) =>
      new CompactSign(typeof payload === 'string' ? new TextEncoder().encode(payload) : payload)
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', ...header })
        .sign(authority.key.privateKey),
    claims: (changes: Record<string, unknown> = {}) =>
      JSON.stringify({ ...createAccessTokenClaims(authority, createRequest()), ...changes }),
  };
}
