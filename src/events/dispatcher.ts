import { setTimeout as pause } from 'node:timers/promises';
import { type Due, dueOwners, type Lane, nextDue, type Owner, release, releaseAll } from '../store/claims.ts';
import type { Attempt } from '../store/deliveries.ts';
import { groupCommit } from '../store/group-commit.ts';
import { type AttemptDeps, attempt } from './attempt.ts';
import { claimBatches, createInFlight, keyOf } from './claiming.ts';
import { type Outcome, saveOutcome } from './outcomes.ts';

export type Dispatcher = ReturnType<typeof createDispatcher>;

/** A stored attempt with the facts that the log and the control API report. */
export interface Attempted extends Attempt {
  readonly subscriptionId: string;
  readonly state: Outcome['state'];
}

export interface DispatcherSettings extends AttemptDeps {
  readonly onError: (error: unknown) => void;
  /** The maximum duration of an attempt, in milliseconds of wall time. */
  readonly timeoutMs: number;
}

/**
 * Milliseconds of wall time between two polls of the outbox. PostgreSQL is polled less often, because other programs may use the same
 * server.
 */
const POLL_MS = { sqlite: 20, postgres: 100 } as const;
const LANES: readonly Lane[] = ['first', 'repeat'];

/** Deliveries that are claimed but not yet attempted. Each subscription has one queue for first attempts and one queue for repeats. */
interface Queue {
  readonly owner: Owner;
  readonly claimed: Due[];
  /** The wall time at which the claims expire. */
  readonly until: number;
}

/**
 * Creates a dispatcher, which sends the deliveries in the outbox. A delivery is sent at least once, until it is acknowledged or its retry
 * schedule ends.
 */
export function createDispatcher({ onError, timeoutMs, ...deps }: DispatcherSettings) {
  /** How long a claim is valid. The time is long enough for several attempts in a row. */
  const leaseMs = timeoutMs + 15_000;
  /** An attempt starts only if its claim stays valid for this time, so that no claim expires during an attempt. */
  const longestAttemptMs = timeoutMs + 1000;
  const { store, clock, ids } = deps;
  const inFlight = createInFlight();
  // Outcomes that arrive together are stored in one transaction, because a transaction costs far more than the writes in it.
  const write = groupCommit(store.write);
  const running = new Set<Promise<void>>();
  const queues = new Map<string, Queue>();
  const listeners = new Set<(attempted: Attempted) => void>();
  let stopped: AbortController | undefined;
  let wake = () => {};
  let polling: Promise<void> = Promise.resolve();
  let looping: Promise<void> = Promise.resolve();

  /**
   * Claims due deliveries and starts an attempt for each free slot. Skips owners that have claimed deliveries in a queue.
   * @returns the number of claimed deliveries
   */
  async function poll(): Promise<number> {
    // The end of an attempt starts the next attempt of the same queue. A queue without attempts in flight is restarted here.
    for (const { owner } of [...queues.values()]) startAttempts(owner);
    const [now, wall] = [clock.now(), Date.now()];
    const until = wall + leaseMs;
    const owners = (await Promise.all(LANES.map((lane) => dueOwners(store.db, lane, { now, wall })))).flat();
    const ready = owners
      .filter((owner) => !queues.has(keyOf(owner)) && inFlight.freeSlotsOf(owner) > 0)
      // Owners without attempts in flight come first. All other owners continue when one of their attempts ends.
      .toSorted((a, b) => inFlight.of(a) - inFlight.of(b));
    if (ready.length === 0) return 0;
    const batches = await claimBatches(store, ready, inFlight, { claim: ids.uuid(), now, wall, until });
    for (const [owner, claimed] of batches) {
      queues.set(keyOf(owner), { owner, claimed: [...claimed], until });
      startAttempts(owner);
    }
    return batches.reduce((total, [, claimed]) => total + claimed.length, 0);
  }

  /** Starts attempts of an owner's claimed deliveries until no slot is free. */
  function startAttempts(owner: Owner): void {
    const queue = queues.get(keyOf(owner));
    if (queue === undefined || stopped?.signal.aborted) return;
    while (inFlight.freeSlotsOf(owner) > 0) {
      const next = queue.claimed.shift();
      if (next === undefined) {
        queues.delete(keyOf(owner));
        // The outbox may contain more deliveries of this owner, so the next poll starts immediately.
        wake();
        return;
      }
      if (Date.now() < queue.until - longestAttemptMs) start(owner, next);
      else {
        queues.delete(keyOf(owner));
        releaseClaims([next, ...queue.claimed]);
        return;
      }
    }
  }

  function start(owner: Owner, due: Due): void {
    inFlight.started(owner);
    const making = attempt(due, deps)
      .finally(() => {
        inFlight.ended(owner);
        startAttempts(owner);
      })
      .then(save)
      .catch(onError)
      .finally(() => running.delete(making));
    running.add(making);
  }

  /** Releases claims, so that other replicas can claim the deliveries immediately. If this write fails, the claims expire later. */
  function releaseClaims(claimed: readonly Due[]): void {
    const releasing = store
      .write((tx) => release(tx, claimed))
      .catch(onError)
      .finally(() => running.delete(releasing));
    running.add(releasing);
  }

  async function save(outcome: Outcome): Promise<void> {
    if (!(await write((tx) => saveOutcome(tx, outcome)))) return;
    const { subscriptionId, state, attempt } = outcome;
    for (const listener of listeners) listener({ ...attempt, subscriptionId, state });
  }

  /** Starts a poll after the previous poll has ended, because two concurrent polls would use the same free slots twice. */
  function pollInTurn(): Promise<number> {
    const polled = polling.then(poll);
    polling = polled.then(
      () => {},
      () => {},
    );
    return polled;
  }

  async function loop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await pollInTurn();
        await Promise.race([woken, pause(POLL_MS[store.engine], undefined, { signal })]);
      } catch (error) {
        if (signal.aborted) return;
        onError(error);
        await pause(1000, undefined, { signal }).catch(() => {});
      }
    }
  }

  return {
    /** Starts to poll the outbox. Deliveries that an earlier process claimed are attempted again. */
    async start(): Promise<void> {
      // A SQLite file is used by one process, so a process that has ended left all existing claims. On PostgreSQL, another running replica
      // may hold a claim, so existing claims have to expire.
      if (store.engine === 'sqlite') await store.write((tx) => releaseAll(tx, {}));
      stopped = new AbortController();
      looping = loop(stopped.signal);
    },
    /** Starts no further attempts and waits for the attempts in flight. */
    async stop(): Promise<void> {
      stopped?.abort();
      await looping;
      await polling;
      const waiting = [...queues.values()].flatMap(({ claimed }) => claimed);
      queues.clear();
      if (waiting.length > 0) releaseClaims(waiting);
      await Promise.all(running);
    },
    /**
     * Attempts all deliveries that are due in kit time. Waits for at most `maxWaitMs` milliseconds of wall time.
     * @returns whether all attempts have ended
     */
    async settle(maxWaitMs: number): Promise<boolean> {
      const deadline = performance.now() + maxWaitMs;
      for (;;) {
        const claimed = await pollInTurn();
        if (claimed === 0 && running.size === 0 && queues.size === 0) return true;
        const left = deadline - performance.now();
        if (left <= 0) return false;
        // This pause ends when an attempt ends. If no attempt is in flight, the pause lasts 1 ms.
        const pausing = new AbortController();
        await Promise.race([...running, pause(running.size === 0 ? 1 : left, undefined, pausing)]);
        // An active timer would keep the process alive after the kit is closed.
        pausing.abort();
      }
    },
    /** Removes all queued deliveries. Call this function after the world was replaced. */
    forget: () => queues.clear(),
    /** Returns the kit time at which the next unclaimed delivery is due, in milliseconds since the Unix epoch. */
    async nextDue(): Promise<number | undefined> {
      const row = await nextDue.first(store.db, { wall: Date.now() });
      return row?.due == null ? undefined : Number(row.due);
    },
    /** Calls the listener for each stored attempt. @returns a function that removes the listener */
    observe(listener: (attempted: Attempted) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
