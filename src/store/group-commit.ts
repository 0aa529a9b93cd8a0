import type { Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/** The maximum number of writes in a transaction, which limits how long other writers wait. A write takes less than 0.1 milliseconds. */
const LARGEST_GROUP = 64;

/** Executes `work` in a transaction, and resolves after the commit. */
type Write = <T>(work: (tx: Transaction<Tables>) => Promise<T>) => Promise<T>;

/** A write that waits to be executed. */
interface Waiting {
  readonly work: (tx: Transaction<Tables>) => Promise<unknown>;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Executes writes that arrive together in one transaction, because a commit costs more than the writes. Each promise resolves after the
 * commit. If a write throws, the transaction is rolled back and each write runs again in its own transaction, so that no write fails
 * because of another.
 */
export function groupCommit(write: Write): Write {
  const waiting: Waiting[] = [];
  let draining = false;

  async function drain(): Promise<void> {
    draining = true;
    while (waiting.length > 0) {
      // Waits until requests that have already arrived are processed, so that their writes join this transaction.
      await new Promise(setImmediate);
      await commitTogether(write, waiting.splice(0, LARGEST_GROUP));
    }
    draining = false;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve, reject });
      if (!draining) void drain();
    });
}

async function commitTogether(write: Write, group: readonly Waiting[]): Promise<void> {
  try {
    const results = await write(async (tx) => {
      const done: unknown[] = [];
      for (const { work } of group) done.push(await work(tx));
      return done;
    });
    for (const [index, { resolve }] of group.entries()) resolve(results[index] as never);
  } catch (error) {
    if (group.length === 1) group[0]!.reject(error);
    else await Promise.all(group.map((one) => commitTogether(write, [one])));
  }
}
