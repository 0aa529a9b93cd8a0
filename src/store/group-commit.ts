import type { Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/** The maximum number of items in a group, which limits how long later items wait. */
const MAX_GROUP_SIZE = 64;

interface WaitingItem<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines calls that arrive together into one `run`. If `run` throws, each item runs again alone.
 * @param run returns a result for each item, in order
 */
export function runInGroups<T, R>(run: (items: readonly T[]) => Promise<readonly R[]>): (item: T) => Promise<R> {
  const waiting: WaitingItem<T, R>[] = [];
  let isDraining = false;

  async function runGroup(group: readonly WaitingItem<T, R>[]): Promise<void> {
    try {
      const results = await run(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index]!);
    } catch (error) {
      if (group.length === 1) group[0]!.reject(error);
      else await Promise.all(group.map((one) => runGroup([one])));
    }
  }

  async function drain(): Promise<void> {
    isDraining = true;
    while (waiting.length > 0) {
      // Waits, so that requests that have already arrived join this group.
      await new Promise(setImmediate);
      await runGroup(waiting.splice(0, MAX_GROUP_SIZE));
    }
    isDraining = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isDraining) void drain();
    });
}

type Write = <T>(work: (tx: Transaction<Tables>) => Promise<T>) => Promise<T>;

/** Combines writes into one transaction, because a commit is slow. If one write throws, each write runs again in its own transaction. */
export function groupCommit(write: Write): Write {
  const grouped = runInGroups((group: readonly ((tx: Transaction<Tables>) => Promise<unknown>)[]) =>
    write(async (tx) => {
      const results: unknown[] = [];
      for (const work of group) results.push(await work(tx));
      return results;
    }),
  );
  return <T>(work: (tx: Transaction<Tables>) => Promise<T>) => grouped(work) as Promise<T>;
}
