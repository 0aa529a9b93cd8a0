import { createHash, randomBytes } from 'node:crypto';

/** Where identifiers come from. Passed in, so that a test can have its own. */
export interface Ids {
  /** A new UUID that sorts after those made before it (version 7). */
  uuid(): string;
  /** 32 random hexadecimal digits. */
  traceId(): string;
}

export function createIds(): Ids {
  let pool = Buffer.alloc(0);
  let used = 0;
  let last = 0;
  let counter = 0;

  // Random bytes are drawn by the kilobyte: a draw each request costs more than the rest of tracing.
  function random(bytes: number): string {
    if (used + bytes > pool.length) {
      pool = randomBytes(4096);
      used = 0;
    }
    used += bytes;
    return pool.toString('hex', used - bytes, used);
  }

  return {
    // `crypto.randomUUIDv7` does not order the ids of one millisecond; lists and the outbox rest on that order, so a counter does (RFC 9562, 6.2).
    uuid() {
      const now = Date.now();
      if (now > last) {
        last = now;
        counter = Number.parseInt(random(2), 16) & 0x7ff;
      } else if (++counter > 0xfff) {
        last++;
        counter = 0;
      }
      const time = last.toString(16).padStart(12, '0');
      const rest = random(8);
      const variant = ((Number.parseInt(rest[0]!, 16) & 0x3) | 0x8).toString(16);
      return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant}${rest.slice(1, 4)}-${rest.slice(4)}`;
    },
    traceId: () => random(16),
  };
}

/** What every id that is made from this moment on sorts after, and every one made before it sorts before. @param epochMs wall time */
export function idsFrom(epochMs: number): string {
  const time = epochMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

/**
 * The id of an entity that a world names: the same at every start. It has the form of a version 7 UUID at the instant given, so that entities of a
 * world sort before those made later.
 */
export function stableUuid(world: string, kind: string, alias: string, epochMs: number): string {
  const hash = createHash('sha256').update(`${world}\n${kind}\n${alias}`).digest('hex');
  const time = epochMs.toString(16).padStart(12, '0');
  const variant = ((Number.parseInt(hash[3]!, 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
}
