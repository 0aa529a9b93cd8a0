import type { KeptToken } from '../store/meta.ts';
import type { Authority } from './authority.ts';
import { mintToken } from './mint.ts';

/** Until when ready tokens are good, in kit time: milliseconds since the Unix epoch. */
export const READY_TOKENS_EXPIRE = Date.UTC(2036, 0, 1);

/**
 * The texts of a world's ready tokens, by name.
 *
 * A text is the same at every start of the same world, so that it can be written into an `.env`: it is issued at the world's epoch (milliseconds
 * since the Unix epoch), expires at a fixed instant, has an id that follows from the name, and is signed by a deterministic signature. It changes
 * only with the world's name or epoch, the token's client, principal or set of scopes, or the authority's issuer, audience or principal claim.
 */
export function readyTokens(authority: Authority, epoch: number, tokens: Readonly<Record<string, KeptToken>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(tokens).map(([name, token]) => [name, text(authority, epoch, name, token)]));
}

function text(authority: Authority, epoch: number, name: string, { clientId, principalId, scopes }: KeptToken): string {
  return mintToken(authority, {
    clientId,
    principalId,
    // Scopes are a set: the order in which a world lists them must not change the text.
    scopes: [...new Set(scopes)].sort(),
    issuedAt: epoch,
    expiresIn: (READY_TOKENS_EXPIRE - epoch) / 1000,
    id: `ready:${name}`,
    kind: 'good',
  });
}
