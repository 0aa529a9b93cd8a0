import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';

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
  return {
    uuid: randomUUIDv7,
    // Random bytes are drawn by the kilobyte: a draw each request costs more than the rest of tracing.
    traceId() {
      if (used + 16 > pool.length) {
        pool = randomBytes(4096);
        used = 0;
      }
      used += 16;
      return pool.toString('hex', used - 16, used);
    },
  };
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
