import type { WorldRecord, WorldUse } from '../world-records.ts';

/** The part of the idle timeout after which a replica writes again that a world is used. */
const WRITE_FRACTION = 0.1;

interface Log {
  usedAt: number;
  writtenAt: number;
  timer: NodeJS.Timeout;
}

/**
 * Writes when worlds are used, but not for each request.
 * @param write writes that a world was used `agoMs` milliseconds ago, and the name of its content. Must not reject.
 */
export function createUseLog(write: (id: string, agoMs: number, world: string) => void) {
  const logs = new Map<string, Log>();

  function touch({ id, idleTimeoutMs }: WorldRecord, use: WorldUse): void {
    const now = performance.now();
    const known = logs.get(id);
    if (known) {
      known.usedAt = now;
      return;
    }
    const schedule = () => setTimeout(writeAgain, idleTimeoutMs * WRITE_FRACTION).unref();
    const log: Log = { usedAt: now, writtenAt: now, timer: schedule() };
    logs.set(id, log);
    write(id, 0, use.readWorld());

    function writeAgain(): void {
      if (use.isOpen()) log.usedAt = performance.now();
      if (log.usedAt === log.writtenAt) return void logs.delete(id);
      log.writtenAt = log.usedAt;
      log.timer = schedule();
      write(id, performance.now() - log.usedAt, use.readWorld());
    }
  }

  function forget(id: string): void {
    clearTimeout(logs.get(id)?.timer);
    logs.delete(id);
  }

  return { touch, forget, close: () => [...logs.keys()].forEach(forget) };
}
