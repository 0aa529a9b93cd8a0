const PREFIX = 'grant:';

/** The `jti` of an access token that a grant gave: it names the grant, so that a token can be refused when its grant is revoked. */
export const grantedTokenId = (grantId: string, id: string): string => `${PREFIX}${grantId}:${id}`;

/** The grant behind a `jti`; undefined for tokens that were minted or are ready-made. */
export function grantOfToken(tokenId: string): string | undefined {
  return tokenId.startsWith(PREFIX) ? tokenId.slice(PREFIX.length, tokenId.indexOf(':', PREFIX.length)) : undefined;
}
