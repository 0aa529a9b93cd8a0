import { isFailure } from '../contract/failure.ts';
import type { WorldState } from '../service/world-state.ts';
import { revokedGrants } from '../store/authorization.ts';
import type { Store } from '../store/store.ts';
import { grantOfToken } from './granted-token-id.ts';
import { invalidToken } from './rejected-token.ts';
import type { VerifiedToken } from './token-claims.ts';
import type { Verification, Verifier } from './verify.ts';

interface RevocationContext {
  readonly store: Store;
  readonly world: WorldState;
}

/**
 * A verifier that also refuses the tokens of revoked grants. It asks nobody for tokens that no grant gave, and reads what is revoked once for each
 * version of the world, which changes with a revocation on any replica.
 */
export function withRevocations(verifier: Verifier, { store, world }: RevocationContext): Verifier {
  let revoked: ReadonlySet<string> = new Set();
  let version: string | undefined;

  async function read(): Promise<void> {
    const now = world.version;
    revoked = new Set((await revokedGrants(store.db, {})).map(({ grant_id }) => grant_id));
    version = now;
  }

  const judge = (token: VerifiedToken, grantId: string): Verification =>
    revoked.has(grantId)
      ? invalidToken('The access token was revoked: its code, or a refresh token of the same grant, was used twice.')
      : token;

  function alsoGranted(verification: Verification): Verification | Promise<Verification> {
    if (isFailure(verification)) return verification;
    const grantId = grantOfToken(verification.id);
    if (grantId === undefined) return verification;
    return version === world.version ? judge(verification, grantId) : read().then(() => judge(verification, grantId));
  }

  return {
    verify(token) {
      const verification = verifier.verify(token);
      return verification instanceof Promise ? verification.then(alsoGranted) : alsoGranted(verification);
    },
    remembered: verifier.remembered,
  };
}
