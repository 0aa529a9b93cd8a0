import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/** How long others may have to wait: a write of the service takes well under a tenth of a millisecond. */
const LARGEST_GROUP = 64;

type Work<T> = (tx: Transaction<Tables>) => Promise<T>;

type Write = <T>(work: Work<T>) => Promise<T>;

/** A writer that waits for the result of its work. */
export interface Waiting {
  readonly work: Work<unknown>;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writers of one connection that arrive together share a transaction: one after another in it, each told of success after the commit, which is the
 * expensive part. Where one of them throws, the whole is undone and each gets a transaction of its own, so no one fails for another's sake.
 */
export function groupCommit(db: Kysely<Tables>): Write {
  const waiting: Waiting[] = [];
  let draining = false;

  async function drain(): Promise<void> {
    draining = true;
    while (waiting.length > 0) {
      // Behind everything that the sockets have brought by now: who is to come along is here then.
      await new Promise(setImmediate);
      await commitTogether((work) => db.transaction().execute(work), waiting.splice(0, LARGEST_GROUP));
    }
    draining = false;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve, reject });
      if (!draining) void drain();
    });
}

/**
 * Runs the works of a group in one transaction and tells each writer of its own result. Where one of them throws, each gets a transaction of its own.
 *
 * @param inOrder the same group, where it is to be written in another order than it is told in.
 */
export async function commitTogether(transaction: Write, group: readonly Waiting[], inOrder = group): Promise<void> {
  try {
    const results = await transaction(async (tx) => {
      const done = new Map<Waiting, unknown>();
      for (const one of inOrder) done.set(one, await one.work(tx));
      return done;
    });
    for (const one of group) one.resolve(results.get(one) as never);
  } catch (error) {
    if (group.length === 1) group[0]!.reject(error);
    else await Promise.all(group.map((one) => commitTogether(transaction, [one])));
  }
}
