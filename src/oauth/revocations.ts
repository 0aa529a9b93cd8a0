import { isFailure } from '../contract/failure.ts';
import type { WorldState } from '../service/world-state.ts';
import { revokedGrants } from '../store/authorization.ts';
import type { Store } from '../store/store.ts';
import { invalidToken } from './bearer.ts';
import type { VerifiedToken } from './token-claims.ts';
import type { Verification, Verifier } from './verify.ts';

const PREFIX = 'grant:';

/** The `jti` of an access token that was issued for a grant. It contains the grant's id, so that the token can be refused once the grant is revoked. */
export const grantedTokenId = (grantId: string, id: string): string => `${PREFIX}${grantId}:${id}`;

/** The id of the grant in a `jti`; undefined for minted and ready-made tokens. */
function grantOfToken(tokenId: string): string | undefined {
  return tokenId.startsWith(PREFIX) ? tokenId.slice(PREFIX.length, tokenId.indexOf(':', PREFIX.length)) : undefined;
}

/**
 * Adds a check for revoked grants to a verifier. Only tokens of grants need it. The list of revoked grants is read once for each version of the world,
 * which changes with a revocation on any replica.
 */
export function withRevocations(verifier: Verifier, { store, world }: { readonly store: Store; readonly world: WorldState }): Verifier {
  let revoked: ReadonlySet<string> = new Set();
  let version: string | undefined;

  async function readRevoked(): Promise<void> {
    const now = world.version;
    revoked = new Set((await revokedGrants(store.db, {})).map(({ grant_id }) => grant_id));
    version = now;
  }

  const decide = (token: VerifiedToken, grantId: string): Verification =>
    revoked.has(grantId)
      ? invalidToken('The access token was revoked: its code, or a refresh token of the same grant, was used twice.')
      : token;

  function checkGrant(verification: Verification): Verification | Promise<Verification> {
    if (isFailure(verification)) return verification;
    const grantId = grantOfToken(verification.id);
    if (grantId === undefined) return verification;
    return version === world.version ? decide(verification, grantId) : readRevoked().then(() => decide(verification, grantId));
  }

  return {
    verify(token) {
      const verification = verifier.verify(token);
      return verification instanceof Promise ? verification.then(checkGrant) : checkGrant(verification);
    },
    remembered: verifier.remembered,
  };
}
