import type { Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/** The maximum number of writes in one transaction. It limits how long other writers wait. A write takes less than 0.1 milliseconds. */
const LARGEST_GROUP = 64;

type Write = <T>(work: (tx: Transaction<Tables>) => Promise<T>) => Promise<T>;

interface Waiting {
  readonly work: (tx: Transaction<Tables>) => Promise<unknown>;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines writes that arrive together into one transaction, because a commit takes longer than a write. The promise of a write resolves
 * after the commit. If a write throws, the transaction is rolled back. Then each write runs again in a transaction of its own, so that only
 * the write that throws fails.
 */
export function groupCommit(write: Write): Write {
  const waiting: Waiting[] = [];
  let draining = false;

  async function drain(): Promise<void> {
    draining = true;
    while (waiting.length > 0) {
      // Lets the event loop process requests that have already arrived, so that their writes join this transaction.
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
