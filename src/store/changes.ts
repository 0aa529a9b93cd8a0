import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

/**
 * `due`: the next delivery may be due earlier than before. `recorded`: an event or an attempt's result was stored. `requests`: the journal
 * has a new entry.
 */
export type Change = 'due' | 'recorded' | 'requests';

/** Reports changes after the commit, so that readers need not poll. */
export interface ChangeFeed {
  /** Changes of the kind `requests` are not counted, because almost every request causes one. */
  readonly count: number;
  /**
   * Calls the listener after changes are committed on any replica. If notifications may have been lost, reports every kind of change. The
   * listener must not throw.
   */
  subscribe(listener: (change: Change) => void): () => void;
}

/**
 * Resolves after the next `due` or `recorded` change, after `timeoutMs` of wall time, or on an abort.
 * @param seenCount `changes.count` before the caller's latest read
 */
export async function waitForChange(changes: ChangeFeed, seenCount: number, timeoutMs: number, ended: AbortSignal): Promise<void> {
  if (changes.count !== seenCount || ended.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  const unsubscribe = changes.subscribe((change) => {
    if (change !== 'requests') resolve();
  });
  const end = () => resolve();
  ended.addEventListener('abort', end);
  await promise;
  ended.removeEventListener('abort', end);
  unsubscribe();
  clearTimeout(timer);
}

const announcedChanges = new WeakMap<Kysely<Tables>, Set<Change>>();

/** Listeners are called after the commit. */
export function announce(tx: Kysely<Tables>, change: Change): void {
  const changes = announcedChanges.get(tx);
  if (changes) changes.add(change);
  else announcedChanges.set(tx, new Set([change]));
}

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
