import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/** Limits how long other writers wait: a write takes well under a tenth of a millisecond. */
const LARGEST_GROUP = 64;

type Work<T> = (tx: Transaction<Tables>) => Promise<T>;

type Write = <T>(work: Work<T>) => Promise<T>;

/** A write that waits to be executed. */
export interface Waiting {
  readonly work: Work<unknown>;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Executes writes that arrive together in one transaction, because the commit is the expensive part. Each promise resolves after the commit. If one of
 * them throws, all are rolled back and each gets a transaction of its own, so that no write fails because of another.
 */
export function groupCommit(db: Kysely<Tables>): Write {
  const waiting: Waiting[] = [];
  let draining = false;

  async function drain(): Promise<void> {
    draining = true;
    while (waiting.length > 0) {
      // After the data that the sockets have received by now, so that their writes join the group.
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
 * Executes a group of writes in one transaction and settles each of their promises. If one throws, each gets a transaction of its own.
 *
 * @param inOrder the same group in the order of execution, if it differs from the order in which the promises settle
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
