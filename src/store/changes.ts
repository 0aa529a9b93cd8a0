import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

/**
 * A kind of change in a committed transaction. `due`: a delivery may be due earlier than before. `recorded`: an event or an attempt's
 * outcome was stored. `requests`: an entry was added to the journal that replicas share.
 */
export type Change = 'due' | 'recorded' | 'requests';

/** Reports changes after their transaction commits, so that readers need not poll the database. */
export interface ChangeFeed {
  /** The number of reported changes. Changes of kind `requests` are not counted, because almost every request causes a change. */
  readonly count: number;
  /**
   * Calls the listener after each commit with a change. On PostgreSQL, also reports other replicas' changes. Occasionally reports changes
   * that did not happen, in case a notification was lost. The listener must not throw.
   * @returns a function that removes the listener
   */
  subscribe(listener: (change: Change) => void): () => void;
}

/**
 * Resolves after the next change that `changes.count` counts, or after `timeoutMs` milliseconds of wall time.
 * @param seenCount the value of `changes.count` before the caller's latest read; if the count has changed since then, the promise resolves
 * immediately
 */
export async function waitForChange(changes: ChangeFeed, seenCount: number, timeoutMs: number): Promise<void> {
  if (changes.count !== seenCount) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  const unsubscribe = changes.subscribe((change) => {
    if (change !== 'requests') resolve();
  });
  await promise;
  unsubscribe();
  clearTimeout(timer);
}

const announcedChanges = new WeakMap<Kysely<Tables>, Set<Change>>();

/** Announces a change in a transaction. Listeners are called after the commit. */
export function announce(tx: Kysely<Tables>, change: Change): void {
  const changes = announcedChanges.get(tx);
  if (changes) changes.add(change);
  else announcedChanges.set(tx, new Set([change]));
}

/** Returns the changes that were announced in a transaction. */
export const getAnnouncedChanges = (tx: Kysely<Tables>): readonly Change[] => [...(announcedChanges.get(tx) ?? [])];

export function createChangeFeed() {
  const listeners = new Set<(change: Change) => void>();
  let count = 0;
  return {
    get count() {
      return count;
    },
    subscribe(listener: (change: Change) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    report(changes: readonly Change[]): void {
      count += changes.filter((change) => change !== 'requests').length;
      for (const change of changes) for (const listener of listeners) listener(change);
    },
  };
}
