import type { Clock } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import { type Authority, createAuthority } from './authority.ts';
import { createVerifier, type Verifier } from './verify.ts';

/** Who issues and checks the tokens of one world. */
export interface Identity {
  readonly world: string;
  readonly authority: Authority;
  readonly verifier: Verifier;
}

/** The audience of every access token: the API of the service. */
const AUDIENCE = 'urn:experience-provider-kit:api';

/**
 * Issuer and keys follow from the world's name alone, not from the address it is served at: a token that somebody keeps in a file goes on working
 * when the kit is started on another port.
 */
export function createIdentity(world: string, settings: { principalClaim: string; clock: Clock; ids: Ids }): Identity {
  const { principalClaim, clock, ids } = settings;
  const issuer = `urn:experience-provider-kit:${world}`;
  const authority = createAuthority({ world, issuer, audience: AUDIENCE, principalClaim, ids });
  const verifier = createVerifier({ key: authority.key.publicKey, issuer, audience: AUDIENCE, principalClaim, clock });
  return { world, authority, verifier };
}
