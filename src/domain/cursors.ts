import { hash } from 'node:crypto';

/** A cursor is valid only for its own list. */
export interface Cursors {
  /** @param list the list's name and filters */
  issue(list: string, position: readonly string[]): string;
  read(cursor: string, list: string): DecodedCursor;
}

export type DecodedCursor =
  | { readonly position: readonly string[] }
  | { readonly problem: 'malformed' }
  | { readonly problem: 'other-list'; readonly issuedFor: string };

/**
 * Cursors are base64url strings. A keyed checksum detects changed and forged cursors.
 * @param getKey when the key changes, all earlier cursors become malformed
 * @param prefix a text before each cursor, with characters that a client must encode in a query
 */
export function createCursors(getKey: () => string, prefix = ''): Cursors {
  const computeChecksum = (payload: string) => hash('sha256', `${getKey()}\n${payload}`, 'base64url').slice(0, 16);
  return {
    issue(list, position) {
      const payload = JSON.stringify([list, ...position]);
      return prefix + Buffer.from(computeChecksum(payload) + payload).toString('base64url');
    },
    read(cursor, list) {
      const text = Buffer.from(cursor.slice(prefix.length), 'base64url').toString();
      const payload = text.slice(16);
      // Encode the result again, to detect characters that are not base64url, because decoding ignores them.
      if (computeChecksum(payload) !== text.slice(0, 16) || prefix + Buffer.from(text).toString('base64url') !== cursor)
        return { problem: 'malformed' };
      const [issuedFor, ...position] = JSON.parse(payload) as [string, ...string[]];
      return issuedFor === list ? { position } : { problem: 'other-list', issuedFor };
    },
  };
}
