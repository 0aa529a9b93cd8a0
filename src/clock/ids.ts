import { createHash, randomBytes } from 'node:crypto';

/** Generates ids. Tests can replace this generator. */
export interface Ids {
  /** Returns a version 7 UUID that sorts after all previously generated UUIDs. */
  uuid(): string;
  /** Returns 32 random hexadecimal digits. */
  traceId(): string;
}

export function createIds(): Ids {
  let pool = Buffer.alloc(0);
  let used = 0;
  let last = 0;
  let counter = 0;

  // Random bytes are generated in blocks of 4096, because generating them for each id would be too slow.
  function createRandomHex(bytes: number): string {
    if (used + bytes > pool.length) {
      pool = randomBytes(4096);
      used = 0;
    }
    used += bytes;
    return pool.toString('hex', used - bytes, used);
  }

  return {
    // Lists and the outbox are ordered by id, but `crypto.randomUUIDv7` does not order ids within a millisecond. Each id therefore contains
    // a counter (RFC 9562, section 6.2).
    uuid() {
      const now = Date.now();
      if (now > last) {
        last = now;
        counter = Number.parseInt(createRandomHex(2), 16) & 0x7ff;
      } else if (++counter > 0xfff) {
        last++;
        counter = 0;
      }
      const time = last.toString(16).padStart(12, '0');
      const rest = createRandomHex(8);
      const variant = ((Number.parseInt(rest[0]!, 16) & 0x3) | 0x8).toString(16);
      return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant}${rest.slice(1, 4)}-${rest.slice(4)}`;
    },
    traceId: () => createRandomHex(16),
  };
}

/**
 * Returns a string that sorts after the ids generated before `epochMs`, and before the ids generated at `epochMs` or later.
 * @param epochMs wall time, in milliseconds since the Unix epoch
 */
export function createIdBoundary(epochMs: number): string {
  const time = epochMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

/**
 * Returns the id of an entity in a world. The entity gets the same id each time the world is loaded. The id is a version 7 UUID with the
 * timestamp `epochMs`, so the world's entities sort before entities that are created later.
 */
export function stableUuid(world: string, kind: string, alias: string, epochMs: number): string {
  const hash = createHash('sha256').update(`${world}\n${kind}\n${alias}`).digest('hex');
  const time = epochMs.toString(16).padStart(12, '0');
  const variant = ((Number.parseInt(hash[3]!, 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
}
