import { type ClaimedDelivery, releaseDeliveries } from '../store/claims.ts';
import type { Attempt } from '../store/deliveries.ts';
import type { Owner } from '../store/due.ts';
import { runInGroups } from '../store/group-commit.ts';
import { type AttemptDeps, attemptDelivery } from './attempt.ts';
import { type Outcome, saveOutcomes } from './outcomes.ts';
import { BATCH_SIZE, type Batch, createQueues, type Queue } from './queues.ts';

/** The runner claims more deliveries when this many are left in a queue, so that no slot waits for a claim. */
const REFILL_THRESHOLD = 16;

export interface StoredAttempt extends Attempt {
  readonly subscriptionId: string;
  readonly state: Outcome['state'];
}

export interface AttemptRunnerSettings extends AttemptDeps {
  readonly onError: (error: unknown) => void;
  /** The maximum duration of an attempt, in milliseconds of wall time. */
  readonly timeoutMs: number;
}

interface AttemptRunnerEvents {
  refill(owner: Owner): void;
  /** Called when a queue runs out of deliveries but the outbox may contain more. */
  onEmpty(): void;
  onEnd(): void;
}

export function createAttemptRunner(
  { onError, timeoutMs, ...deps }: AttemptRunnerSettings,
  { refill, onEmpty, onEnd }: AttemptRunnerEvents,
) {
  /** How long a claim must still be valid when an attempt starts, in milliseconds. */
  const longestAttemptMs = timeoutMs + 1000;
  const { store } = deps;
  const queues = createQueues();
  const tasks = createTasks();
  const listeners = new Set<(attempted: StoredAttempt) => void>();
  // Stores outcomes together, because a transaction costs far more than its writes.
  const saveOutcome = runInGroups((outcomes: readonly Outcome[]) => store.write((tx) => saveOutcomes(tx, outcomes)));
  let isStopped = false;

  function startAttempts(queue: Queue): void {
    while (!isStopped && queues.countFreeSlotsOf(queue) > 0) {
      const next = queue.claimed.shift();
      if (next === undefined) {
        if (queue.hasMore) onEmpty();
        queue.hasMore = false;
        return;
      }
      if (queue.hasMore && queue.claimed.length === REFILL_THRESHOLD) refill(queue.owner);
      if (Date.now() < next.until - longestAttemptMs) void makeAttempt(queue, next);
      else void releaseClaims([next, ...queue.claimed.splice(0)]);
    }
  }

  async function makeAttempt(queue: Queue, due: ClaimedDelivery): Promise<void> {
    queues.addInFlightAttempt(queue);
    tasks.begin();
    try {
      const outcome = await waitForOutcome(queue, due);
      // An attempt that a stopping kit aborts does not count, because another replica repeats it immediately.
      if (isStopped && outcome.attempt.status === null) return await releaseClaims([due]);
      if (!(await saveOutcome(outcome))) return;
      const { subscriptionId, state, attempt } = outcome;
      for (const listener of listeners) listener({ ...attempt, subscriptionId, state });
    } catch (error) {
      onError(error);
    } finally {
      tasks.end();
      onEnd();
    }
  }

  /** Frees the slot before the outcome is stored. */
  async function waitForOutcome(queue: Queue, due: ClaimedDelivery): Promise<Outcome> {
    try {
      return await attemptDelivery(due, deps);
    } finally {
      queues.removeInFlightAttempt(queue);
      startAttempts(queue);
    }
  }

  /** Releases claims, so that other replicas can attempt the deliveries. If this fails, the claims remain until they expire. */
  async function releaseClaims(claimed: readonly ClaimedDelivery[]): Promise<void> {
    tasks.begin();
    await store.write((tx) => releaseDeliveries(tx, claimed)).catch(onError);
    tasks.end();
  }

  function releaseWaiting(): void {
    const waiting = queues.claimed().flatMap(({ claimed }) => claimed);
    queues.clear();
    if (waiting.length > 0) void releaseClaims(waiting);
  }

  return {
    queues,
    tasks,
    add(batches: readonly Batch[]): void {
      for (const [owner, claimed] of batches) {
        const queue = queues.getQueue(owner);
        queue.claimed.push(...claimed);
        queue.hasMore = claimed.length === BATCH_SIZE;
        startAttempts(queue);
      }
    },
    /** Starts attempts for idle queues. In other queues, each attempt's end starts the next attempt. */
    resume(): void {
      for (const queue of queues.claimed()) startAttempts(queue);
    },
    observe(listener: (attempted: StoredAttempt) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** To release the claims, call `end` after the last `add`. */
    stop(): void {
      isStopped = true;
    },
    /** Releases the claims of all deliveries that are not in flight. */
    releaseWaiting,
    async end(): Promise<void> {
      releaseWaiting();
      while (tasks.size > 0) await tasks.waitForNextEnd();
    },
  };
}

/** Counts unfinished work. */
function createTasks() {
  let size = 0;
  let waiting: (() => void)[] = [];
  return {
    get size() {
      return size;
    },
    begin(): void {
      size += 1;
    },
    end(): void {
      size -= 1;
      if (waiting.length === 0) return;
      const resumed = waiting;
      waiting = [];
      for (const resume of resumed) resume();
    },
    waitForNextEnd: () => new Promise<void>((resolve) => void waiting.push(resolve)),
  };
}
