import { hash } from 'node:crypto';
import type { Cursors } from './context.ts';

/** Cursors as base64url text with a checksum over a key: an altered or invented one is told from a real one. */
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
      // The round trip refuses what base64url decoding is lenient about, so that an altered cursor never passes for the real one.
      if (text.length < 18 || checksum(payload) !== text.slice(0, 16) || Buffer.from(text).toString('base64url') !== cursor) {
        return { problem: 'malformed' };
      }
      const [of, ...position] = JSON.parse(payload) as [string, ...string[]];
      return of === list ? { position } : { problem: 'other-list', of };
    },
  };
}
