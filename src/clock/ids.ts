import { hash, randomBytes } from 'node:crypto';

export interface Ids {
  /** Returns a version 7 UUID that sorts after all previously generated UUIDs. */
  uuid(): string;
  traceId(): string;
}

export function createIds(): Ids {
  let pool = Buffer.alloc(0);
  let used = 0;
  let last = 0;
  let counter = 0;

  // Generating random bytes for each id would be too slow, so blocks of 4096 are generated.
  function createRandomHex(bytes: number): string {
    if (used + bytes > pool.length) {
      pool = randomBytes(4096);
      used = 0;
    }
    used += bytes;
    return pool.toString('hex', used - bytes, used);
  }

  return {
    // `crypto.randomUUIDv7` does not order ids within a millisecond, so ids contain a counter (RFC 9562, section 6.2).
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
 * Returns a string that sorts between the ids generated before `epochMs` and all later ids.
 * @param epochMs wall time, in milliseconds since the Unix epoch
 */
export function createIdBoundary(epochMs: number): string {
  const time = epochMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

/** Returns the id of an entity in a world: the same id at each load. World entities sort before entities created later. */
export function stableUuid(world: string, kind: string, alias: string, epochMs: number): string {
  const digest = hash('sha256', `${world}\n${kind}\n${alias}`);
  const time = epochMs.toString(16).padStart(12, '0');
  const variant = ((Number.parseInt(digest[3]!, 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
}
