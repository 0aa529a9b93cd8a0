import { setTimeout as pause } from 'node:timers/promises';
import { createAlarm } from '../clock/alarm.ts';
import {
  type Due,
  dueOwners,
  nextDue,
  nextDueAfter,
  nextDueOrExpiry,
  type Owner,
  release,
  releaseAll,
  SEARCH_START,
} from '../store/claims.ts';
import type { Attempt } from '../store/deliveries.ts';
import { groupCommit } from '../store/group-commit.ts';
import { type AttemptDeps, attempt } from './attempt.ts';
import { BATCH_SIZE, type Batch, claimBatches, createInFlight, keyOf } from './claiming.ts';
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
 * The maximum time between two polls while deliveries wait for their due time, in milliseconds of wall time. The wall clock can jump, for
 * example when a computer wakes up, but a timer does not notice a jump.
 */
const MAX_REST_MS = 60_000;
/** The minimum time between two polls that commits cause, in milliseconds of wall time. One poll then claims the deliveries of many commits. */
const MIN_REST_MS = 5;
/** When a queue has this number of deliveries left, more are claimed, so that no slot waits for the claim. */
const REFILL_AT = 16;
/** How long to wait after an error, in milliseconds of wall time. */
const ERROR_MS = 1000;

/** Deliveries that are claimed but not yet attempted. Each subscription has one queue for first attempts and one queue for repeats. */
interface Queue {
  readonly owner: Owner;
  readonly claimed: Due[];
  /** Whether the outbox may contain more due deliveries of this owner. */
  readonly hasMore: boolean;
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
  /** The owners of the next refill. */
  const refills = new Map<string, Owner>();
  let unsubscribe: (() => void)[] = [];
  const alarm = createAlarm(MIN_REST_MS);
  const listeners = new Set<(attempted: Attempted) => void>();
  let isStopped = false;
  /** Where the next search for due deliveries begins. */
  let position = SEARCH_START;
  /** Whether due deliveries could not be claimed. In this case, the end of any attempt causes a poll, because it may make room. */
  let isCrowded = false;
  let claiming: Promise<void> = Promise.resolve();
  let looping: Promise<void> = Promise.resolve();

  /**
   * Claims due deliveries and starts an attempt for each free slot. Skips owners that have claimed deliveries in a queue.
   * @returns the number of claimed deliveries
   */
  async function poll(now = clock.now()): Promise<number> {
    // The end of an attempt starts the next attempt of the same queue. A queue without attempts in flight is restarted here.
    for (const { owner } of [...queues.values()]) startAttempts(owner);
    isCrowded = inFlight.freeSlots() <= 0;
    if (isCrowded) return 0;
    const wall = Date.now();
    const found = await dueOwners(store.db, { now, wall }, position);
    ({ position } = found);
    const waiting = found.owners.filter((owner) => !queues.has(keyOf(owner)));
    const ready = waiting
      .filter((owner) => inFlight.freeSlotsOf(owner) > 0)
      // Owners without attempts in flight come first. All other owners continue when one of their attempts ends.
      .toSorted((a, b) => inFlight.of(a) - inFlight.of(b));
    const batches = ready.length === 0 ? [] : await claimFor(ready, { now, wall });
    const claimedOf = new Map(batches.map(([owner, { length }]) => [keyOf(owner), length]));
    isCrowded = waiting.some((owner) => (claimedOf.get(keyOf(owner)) ?? 0) < Math.min(owner.due, BATCH_SIZE));
    isCrowded ||= inFlight.freeSlots() <= 0;
    return batches.reduce((total, [, claimed]) => total + claimed.length, 0);
  }

  /** Claims due deliveries of the owners and starts attempts for them. */
  async function claimFor(
    owners: readonly Owner[],
    { now, wall }: { readonly now: number; readonly wall: number },
  ): Promise<readonly Batch[]> {
    const batches = await claimBatches(store, owners, inFlight, { claim: ids.uuid(), now, wall, until: wall + leaseMs });
    for (const [owner, claimed] of batches) {
      const queue = queues.get(keyOf(owner));
      queues.set(keyOf(owner), { owner, claimed: [...(queue?.claimed ?? []), ...claimed], hasMore: claimed.length === BATCH_SIZE });
      startAttempts(owner);
    }
    return batches;
  }

  /** Claims more deliveries of an owner that may have more due deliveries. Unlike a poll, this does not search for due deliveries. */
  function refill(owner: Owner): void {
    refills.set(keyOf(owner), owner);
    if (refills.size > 1) return;
    inTurn(() => {
      const owners = [...refills.values()];
      refills.clear();
      return claimFor(owners, { now: clock.now(), wall: Date.now() });
    }).catch(onError);
  }

  /** Starts attempts of an owner's claimed deliveries until no slot is free. */
  function startAttempts(owner: Owner): void {
    const queue = queues.get(keyOf(owner));
    if (queue === undefined || isStopped) return;
    while (inFlight.freeSlotsOf(owner) > 0) {
      const next = queue.claimed.shift();
      if (next === undefined) {
        queues.delete(keyOf(owner));
        if (queue.hasMore) alarm.wake();
        return;
      }
      if (queue.hasMore && queue.claimed.length === REFILL_AT) refill(owner);
      if (Date.now() < next.until - longestAttemptMs) start(owner, next);
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
      .finally(() => {
        running.delete(making);
        // The last attempt also causes a poll, because a claim of another replica may expire next.
        if (isCrowded || running.size === 0) alarm.wakeSoon();
      });
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

  /** Claims after the previous claims have ended, because two concurrent polls would use the same free slots twice. */
  function inTurn<T>(claimNow: () => Promise<T>): Promise<T> {
    const claimed = claiming.then(claimNow);
    claiming = claimed.then(
      () => {},
      () => {},
    );
    return claimed;
  }

  /**
   * Returns the time until a delivery that nobody reports is due, in milliseconds: at its due time, or when the claim of a process that has
   * ended expires. Returns undefined if there is no such delivery.
   * @param now the kit time of the previous poll
   */
  async function untilNext(now: number): Promise<number | undefined> {
    const isSearching = position.first !== '' || position.repeat !== '';
    if (isSearching && inFlight.freeSlots() > 0) return 0;
    const wall = Date.now();
    const next: { due: number | null; expiry?: number | null } | undefined =
      running.size === 0 ? await nextDueOrExpiry.first(store.db, { now, wall }) : await nextDueAfter.first(store.db, { now });
    const times = [next?.due == null ? [] : Number(next.due) - clock.now(), next?.expiry == null ? [] : Number(next.expiry) - Date.now()];
    return times.flat().length === 0 ? undefined : Math.max(0, Math.min(...times.flat(), MAX_REST_MS));
  }

  async function loop(): Promise<void> {
    while (!isStopped) {
      alarm.start();
      const now = clock.now();
      const ms = await inTurn(() => poll(now))
        .then(() => untilNext(now))
        .catch((error: unknown) => {
          if (!isStopped) onError(error);
          return ERROR_MS;
        });
      await alarm.rest(ms);
    }
  }

  return {
    /** Starts to send the deliveries in the outbox. Deliveries that an earlier process claimed are attempted again. */
    async start(): Promise<void> {
      // A SQLite file is used by one process, so a process that has ended left all existing claims. On PostgreSQL, another running replica
      // may hold a claim, so existing claims have to expire.
      if (store.engine === 'sqlite') await store.write((tx) => releaseAll(tx, {}));
      // A move of kit time can make deliveries due. The end of an attempt in another replica can make room.
      unsubscribe = [
        clock.observe(alarm.wake),
        store.changes.subscribe((change) => {
          if (change === 'due' || isCrowded) alarm.wakeSoon();
        }),
      ];
      looping = loop();
    },
    /** Starts no further attempts and waits for the attempts in flight. */
    async stop(): Promise<void> {
      isStopped = true;
      for (const end of unsubscribe) end();
      alarm.wake();
      await looping;
      await claiming;
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
        const claimed = await inTurn(() => poll());
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
