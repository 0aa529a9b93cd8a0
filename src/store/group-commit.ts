import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/** How long others may have to wait: a write of the service takes well under a tenth of a millisecond. */
const LARGEST_GROUP = 64;

type Work<T> = (tx: Transaction<Tables>) => Promise<T>;

interface Waiting {
  readonly work: Work<unknown>;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writers of one connection that arrive together share a transaction: one after another in it, each told of success after the commit, which is the
 * expensive part. Where one of them throws, the whole is undone and each gets a transaction of its own, so no one fails for another's sake.
 */
export function groupCommit(db: Kysely<Tables>): <T>(work: Work<T>) => Promise<T> {
  const waiting: Waiting[] = [];
  let draining = false;

  async function drain(): Promise<void> {
    draining = true;
    while (waiting.length > 0) {
      // Behind everything that the sockets have brought by now: who is to come along is here then.
      await new Promise(setImmediate);
      await commit(db, waiting.splice(0, LARGEST_GROUP));
    }
    draining = false;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve, reject });
      if (!draining) void drain();
    });
}

async function commit(db: Kysely<Tables>, group: readonly Waiting[]): Promise<void> {
  try {
    const results = await db.transaction().execute(async (tx) => {
      const done: unknown[] = [];
      for (const { work } of group) done.push(await work(tx));
      return done;
    });
    for (const [i, { resolve }] of group.entries()) resolve(results[i] as never);
  } catch (error) {
    if (group.length === 1) group[0]!.reject(error);
    else for (const one of group) await commit(db, [one]);
  }
}
