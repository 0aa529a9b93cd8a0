import { setTimeout as pause } from 'node:timers/promises';
import { createAlarm } from '../clock/alarm.ts';
import type { WorldState } from '../service/world-state.ts';
import { releaseAllClaims } from '../store/claims.ts';
import { type ClockReading, findDueOwners, nextDue, nextDueAfter, nextDueOrExpiry, type Owner, SEARCH_START } from '../store/due.ts';
import { type AttemptRunnerSettings, createAttemptRunner, type StoredAttempt } from './attempt-runner.ts';
import { BATCH_SIZE, type Batch, claimBatches } from './queues.ts';

export type Dispatcher = ReturnType<typeof createDispatcher>;

/**
 * The maximum time between two polls while deliveries wait, in milliseconds of wall time. Needed because a timer does not notice changes of
 * the system clock.
 */
const MAX_POLL_INTERVAL_MS = 60_000;
/**
 * The minimum time between two polls after commits, in milliseconds of wall time. It lets one poll claim the deliveries of many commits.
 */
const MIN_POLL_INTERVAL_MS = 5;
/** The time to wait after an error, in milliseconds of wall time. */
const ERROR_PAUSE_MS = 1000;

export interface DispatcherSettings extends AttemptRunnerSettings {
  readonly world: Pick<WorldState, 'load' | 'refresh'>;
}

export function createDispatcher(settings: DispatcherSettings) {
  const { store, world, clock, ids, onError } = settings;
  /** How long a claim is valid, in milliseconds. Long enough for several attempts in a row. */
  const leaseMs = settings.timeoutMs + 15_000;
  const alarm = createAlarm(MIN_POLL_INTERVAL_MS);
  const attemptRunner = createAttemptRunner(settings, {
    refill,
    onEmpty: alarm.wake,
    onEnd() {
      // When no attempt is in flight, poll again, because only then `getTimeUntilNextPoll` considers when claims expire.
      if (isCrowded || tasks.size === 0) alarm.wakeSoon();
    },
  });
  const { queues, tasks } = attemptRunner;
  const refills = new Set<Owner>();
  let unsubscribe: (() => void)[] = [];
  let isStopped = false;
  let { load } = world;
  let position = SEARCH_START;
  /** Whether the latest poll could not claim all due deliveries. If so, the end of any attempt causes another poll. */
  let isCrowded = false;
  let claiming: Promise<void> = Promise.resolve();
  let polling: Promise<void> = Promise.resolve();

  const readClocks = (): ClockReading => ({ now: clock.now(), wallClockMs: Date.now() });

  /** @returns the number of claimed deliveries */
  async function poll(moment = readClocks()): Promise<number> {
    attemptRunner.resume();
    queues.prune();
    isCrowded = queues.countFreeSlots() <= 0;
    if (isCrowded) return 0;
    const found = await findDueOwners(store.db, moment, position);
    ({ position } = found);
    // A queue that still has deliveries causes another poll when it runs out.
    for (const queue of found.owners.map(queues.getQueue)) queue.hasMore ||= queue.claimed.length > 0;
    const waiting = found.owners.filter((owner) => queues.getQueue(owner).claimed.length === 0);
    const ready = waiting
      .filter((owner) => queues.countFreeSlotsOf(queues.getQueue(owner)) > 0)
      // For owners with attempts in flight, an attempt's end starts the next attempt.
      .toSorted((a, b) => queues.getQueue(a).inFlight - queues.getQueue(b).inFlight);
    const batches = new Map(ready.length === 0 ? [] : await claimForOwners(ready, moment));
    isCrowded = waiting.some((owner) => (batches.get(owner)?.length ?? 0) < Math.min(owner.due, BATCH_SIZE));
    isCrowded ||= queues.countFreeSlots() <= 0;
    return [...batches.values()].reduce((total, claimed) => total + claimed.length, 0);
  }

  async function claimForOwners(owners: readonly Owner[], moment: ClockReading): Promise<readonly Batch[]> {
    const batches = await claimBatches(store, owners, queues, { claim: ids.uuid(), ...moment, until: moment.wallClockMs + leaseMs });
    attemptRunner.add(batches);
    return batches;
  }

  function refill(owner: Owner): void {
    refills.add(owner);
    if (refills.size > 1) return;
    claimInTurn(() => {
      const owners = [...refills];
      refills.clear();
      return claimForOwners(owners, readClocks());
    }).catch(onError);
  }

  /** Waits for earlier claims, because two concurrent polls would fill the same slots twice. */
  function claimInTurn<T>(claimNow: () => Promise<T>): Promise<T> {
    const claimed = claiming.then(claimNow);
    claiming = claimed.then(
      () => {},
      () => {},
    );
    return claimed;
  }

  /**
   * Returns the milliseconds until the next poll, or undefined if no delivery is pending.
   * @param polledAt the previous poll's moment. A delivery that becomes due, or whose claim expires, after this moment needs another poll.
   */
  async function getTimeUntilNextPoll(polledAt: ClockReading): Promise<number | undefined> {
    const isSearching = position.first !== '' || position.repeat !== '';
    if (isSearching && queues.countFreeSlots() > 0) return 0;
    const next: { due: number | null; expiry?: number | null } | undefined =
      tasks.size === 0 ? await nextDueOrExpiry.first(store.db, polledAt) : await nextDueAfter.first(store.db, polledAt);
    const times = [next?.due == null ? [] : Number(next.due) - clock.now(), next?.expiry == null ? [] : Number(next.expiry) - Date.now()];
    return times.flat().length === 0 ? undefined : Math.max(0, Math.min(...times.flat(), MAX_POLL_INTERVAL_MS));
  }

  /** Another replica may have moved kit time, or loaded a world in which the waiting deliveries do not exist. */
  async function refreshWorld(): Promise<void> {
    await world.refresh();
    if (world.load === load) return;
    ({ load } = world);
    attemptRunner.releaseWaiting();
  }

  /** @returns the same as `getTimeUntilNextPoll` */
  async function refreshAndPoll(): Promise<number | undefined> {
    await refreshWorld();
    const polledAt = readClocks();
    await claimInTurn(() => poll(polledAt));
    return getTimeUntilNextPoll(polledAt);
  }

  async function pollUntilStopped(): Promise<void> {
    while (!isStopped) {
      alarm.start();
      const ms = await refreshAndPoll().catch((error: unknown) => {
        if (!isStopped) onError(error);
        return ERROR_PAUSE_MS;
      });
      await alarm.rest(ms);
    }
  }

  return {
    /** Deliveries that an earlier process claimed are attempted again. */
    async start(): Promise<void> {
      // On SQLite, all existing claims are from a process that has ended. On PostgreSQL, other replicas may still use their claims.
      if (store.engine === 'sqlite') await store.write((tx) => releaseAllClaims(tx, {}));
      // Poll when kit time changes or when deliveries become due. While deliveries cannot be claimed, poll after every change in the
      // database, because the change may be the end of another replica's attempt.
      unsubscribe = [
        clock.observe(alarm.wake),
        store.changes.subscribe((change) => {
          if (change === 'due' || isCrowded) alarm.wakeSoon();
        }),
      ];
      polling = pollUntilStopped();
    },
    async stop(): Promise<void> {
      isStopped = true;
      attemptRunner.stop();
      for (const end of unsubscribe) end();
      alarm.wake();
      await polling;
      await claiming;
      await attemptRunner.end();
    },
    /**
     * Attempts all deliveries that are due in kit time.
     * @param maxWaitMs in milliseconds of wall time
     * @returns whether all attempts ended in time
     */
    async settle(maxWaitMs: number): Promise<boolean> {
      const deadline = performance.now() + maxWaitMs;
      for (;;) {
        const claimed = await claimInTurn(() => poll());
        if (claimed === 0 && tasks.size === 0 && queues.claimed().length === 0) return true;
        const left = deadline - performance.now();
        if (left <= 0) return false;
        const pausing = new AbortController();
        await Promise.race([tasks.waitForNextEnd(), pause(tasks.size === 0 ? 1 : left, undefined, pausing)]);
        // An active timer would keep the process alive after the kit is closed.
        pausing.abort();
      }
    },
    /** Call this function after replacing the world. Releases claims, because a poll may already have claimed deliveries of the new world. */
    forget: attemptRunner.releaseWaiting,
    /** Returns the next unclaimed delivery's due time: milliseconds of kit time since the Unix epoch. */
    async findNextDue(): Promise<number | undefined> {
      const row = await nextDue.first(store.db, { wallClockMs: Date.now() });
      return row?.due == null ? undefined : Number(row.due);
    },
    observe: (listener: (attempted: StoredAttempt) => void) => attemptRunner.observe(listener),
  };
}
