/** Something that was created at the target and has to be removed. */
export interface Created {
  /** Removes it now instead of at the end. Never fails: what cannot be removed is reported. */
  remove(): Promise<void>;
  /** The check has removed it. */
  forget(): void;
}

/** What was created at the target, and is removed at the end in reverse order. */
export interface Cleanup {
  /** @param name how reports call it if it cannot be removed. */
  add(name: string, remove: () => Promise<unknown>): Created;
  /** Creates something that is removed at the end. @throws Error after `run`: what would be created then would stay. */
  create<T>(create: () => Promise<T>, remove: (created: T) => Promise<unknown>, nameOf: (created: T) => string): Promise<T>;
  /** A part that can be run earlier, and is run with the rest otherwise. @param first called before anything is removed. */
  part(first?: () => Promise<void>): Cleanup;
  /** Removes everything, once. What cannot be removed is written to standard error, where the reporter collects it. */
  run(): Promise<void>;
}

/** A removal failed for a reason that makes every other removal fail. */
export class TargetUnreachable extends Error {
  override readonly name = 'TargetUnreachable';
}

/** How the lines begin that name what could not be removed. */
export const LEFT_BEHIND = 'left behind: ';

interface Entry {
  readonly name: string;
  readonly remove: () => Promise<unknown>;
}

/** @param report is given a line for each thing that cannot be removed. */
export function createCleanup(report: (line: string) => void = console.error, first: () => Promise<void> = async () => {}): Cleanup {
  const entries = new Set<Entry>();
  const parts = new Set<Cleanup>();
  const underWay = new Set<Promise<unknown>>();
  let running: Promise<void> | undefined;

  /** @returns whether removing more makes sense. */
  async function removeOne(entry: Entry): Promise<boolean> {
    entries.delete(entry);
    try {
      await entry.remove().catch(() => entry.remove());
      return true;
    } catch (error) {
      const isUnreachable = error instanceof TargetUnreachable;
      const more = isUnreachable && entries.size > 0 ? ` and ${entries.size} more` : '';
      report(`${LEFT_BEHIND}${entry.name}${more} (${(error as Error).message})`);
      return !isUnreachable;
    }
  }

  async function removeAll(): Promise<void> {
    await first();
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
    async create(create, remove, nameOf) {
      if (running) throw new Error('the check has ended: nothing is created any more');
      const creating = create();
      underWay.add(creating);
      try {
        const created = await creating;
        cleanup.add(nameOf(created), () => remove(created));
        return created;
      } finally {
        underWay.delete(creating);
      }
    },
    part(before) {
      const part = createCleanup(report, before);
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
