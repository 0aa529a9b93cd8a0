/** What was made at a target for the checks of a worker, and is removed when the worker ends: the last first. */
export interface Traces {
  /** Makes something and remembers how it is removed, and what it is called. @throws Error after the end: what would be made then would stay. */
  make<Made>(make: () => Promise<Made>, remove: (made: Made) => Promise<void>, nameOf: (made: Made) => string): Promise<Made>;
  /** Removes all. What cannot be removed is told on standard error, where the reporter picks it up. */
  remove(): Promise<void>;
}

/** A removal that failed for a reason for which every other one would fail, too. */
export class OutOfReach extends Error {
  override readonly name = 'OutOfReach';
}

export function createTraces(say: (line: string) => void = console.error): Traces {
  const left: { readonly name: string; readonly remove: () => Promise<void> }[] = [];
  const underWay = new Set<Promise<unknown>>();
  let ended = false;
  return {
    async make(make, remove, nameOf) {
      if (ended) throw new Error('the worker has ended: nothing is made any more');
      const making = make();
      underWay.add(making);
      try {
        const made = await making;
        left.push({ name: nameOf(made), remove: () => remove(made) });
        return made;
      } finally {
        underWay.delete(making);
      }
    },
    async remove() {
      ended = true;
      await Promise.allSettled(underWay);
      for (let last = left.pop(); last !== undefined; last = left.pop()) {
        try {
          await last.remove();
        } catch (error) {
          const more = error instanceof OutOfReach && left.length > 0 ? ` and ${left.length} more` : '';
          say(`left behind: ${last.name}${more} (${(error as Error).message})`);
          if (error instanceof OutOfReach) return;
        }
      }
    },
  };
}
