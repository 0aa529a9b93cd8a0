import { setTimeout as pause } from 'node:timers/promises';

export interface CreatedEntity {
  /** Removes the entity now instead of at the end. If that fails, reports the failure instead of throwing. */
  remove(): Promise<void>;
  forget(): void;
}

/** Removes entities that were created at the target, in reverse order of creation. */
export interface Cleanup {
  /** @param name the entity's name in the report if the entity cannot be removed */
  add(name: string, remove: () => Promise<unknown>): CreatedEntity;
  /** @throws Error if `run` was already called */
  createAndTrack<T>(create: () => Promise<T>, remove: (created: T) => Promise<unknown>, formatName: (created: T) => string): Promise<T>;
  /** Creates a cleanup for some of the entities, such as those of one check. It can run before the outer cleanup. */
  createNestedCleanup(beforeFirstRemoval?: () => Promise<void>): Cleanup;
  /** Removes all entities; later calls do nothing. Writes a line to standard error for each failure; the reporter reads these lines. */
  run(): Promise<void>;
}

/** Thrown if a removal fails and all further removals would fail for the same reason. */
export class TargetUnreachable extends Error {
  override readonly name = 'TargetUnreachable';
}

export const LEFT_BEHIND_PREFIX = 'left behind: ';

const RETRY_MS = 300;

interface CleanupEntry {
  readonly name: string;
  readonly remove: () => Promise<unknown>;
}

/** @param report is called with a line for each entity that cannot be removed */
export function createCleanup(
  report: (line: string) => void = console.error,
  beforeFirstRemoval: () => Promise<void> = async () => {},
): Cleanup {
  const entries = new Set<CleanupEntry>();
  const parts = new Set<Cleanup>();
  const underWay = new Set<Promise<unknown>>();
  let running: Promise<void> | undefined;

  /** @returns false if the target is unreachable */
  async function removeOne(entry: CleanupEntry): Promise<boolean> {
    entries.delete(entry);
    try {
      await entry.remove().catch(async () => {
        // The target may be busy.
        await pause(RETRY_MS);
        return entry.remove();
      });
      return true;
    } catch (error) {
      const isUnreachable = error instanceof TargetUnreachable;
      const more = isUnreachable && entries.size > 0 ? ` and ${entries.size} more` : '';
      report(`${LEFT_BEHIND_PREFIX}${entry.name}${more} (${(error as Error).message})`);
      return !isUnreachable;
    }
  }

  async function removeAll(): Promise<void> {
    await beforeFirstRemoval();
    await Promise.all([...parts].map((part) => part.run()));
    await Promise.allSettled(underWay);
    for (const entry of [...entries].reverse()) if (entries.has(entry) && !(await removeOne(entry))) return;
  }

  const cleanup: Cleanup = {
    add(name, remove) {
      const entry = { name, remove };
      entries.add(entry);
      return {
        remove: async () => void (entries.has(entry) && (await removeOne(entry))),
        forget: () => void entries.delete(entry),
      };
    },
    async createAndTrack(create, remove, formatName) {
      if (running) throw new Error('no entity can be created after the end of the check');
      const creating = create();
      underWay.add(creating);
      try {
        const created = await creating;
        cleanup.add(formatName(created), () => remove(created));
        return created;
      } finally {
        underWay.delete(creating);
      }
    },
    createNestedCleanup(beforeFirstRemoval) {
      const part = createCleanup(report, beforeFirstRemoval);
      const run = async () => {
        await part.run();
        parts.delete(known);
      };
      const known = { ...part, run };
      parts.add(known);
      return known;
    },
    run: () => (running ??= removeAll()),
  };
  return cleanup;
}
