import { hash } from 'node:crypto';

/** Opaque positions in lists. Each is bound to the list that it was issued for. */
export interface Cursors {
  /** @param list the name of the list and everything that its cursors are bound to */
  issue(list: string, position: readonly string[]): string;
  read(cursor: string, list: string): CursorReading;
}

/** The position, or why there is none: the text is not a cursor, or it was issued for the list `of`. */
export type CursorReading =
  | { readonly position: readonly string[] }
  | { readonly problem: 'malformed' }
  | { readonly problem: 'other-list'; readonly of: string };

/** Cursors as base64url text with a keyed checksum, so that altered and invented ones are detected. */
export function createCursors(key: string): Cursors {
  const checksum = (payload: string) => hash('sha256', `${key}\n${payload}`, 'base64url').slice(0, 16);
  return {
    issue(list, position) {
      const payload = JSON.stringify([list, ...position]);
      return Buffer.from(checksum(payload) + payload).toString('base64url');
    },
    read(cursor, list) {
      const text = Buffer.from(cursor, 'base64url').toString();
      const payload = text.slice(16);
      // Decoding base64url is lenient. Encoding again detects what it ignored.
      if (text.length < 18 || checksum(payload) !== text.slice(0, 16) || Buffer.from(text).toString('base64url') !== cursor) {
        return { problem: 'malformed' };
      }
      const [of, ...position] = JSON.parse(payload) as [string, ...string[]];
      return of === list ? { position } : { problem: 'other-list', of };
    },
  };
}
