import { setTimeout as pause } from 'node:timers/promises';
import { type Due, dueOwners, type Lane, nextDue, type Owner, release } from '../store/claims.ts';
import type { Attempt } from '../store/deliveries.ts';
import { type AttemptDeps, attempt } from './attempt.ts';
import { claimLots } from './claim-lots.ts';
import { createInFlight, keyOf } from './in-flight.ts';
import { createOutcomes, type Outcome } from './outcomes.ts';

/** Sends what the outbox holds, each delivery until it is acknowledged or its schedule is over. At least once: never lost, and it may repeat. */
export interface Dispatcher {
  /** Begins to look at the outbox. What an earlier process had under way is taken up. */
  start(): Promise<void>;
  /** Begins nothing more, and waits for what is under way. */
  stop(): Promise<void>;
  /** Attempts whatever is due at the present kit time, and waits for what that comes to, but no longer than so many wall milliseconds. @returns whether all of it has ended */
  settle(maxWaitMs: number): Promise<boolean>;
  /** Forgets what is claimed and not begun: the world it belongs to is gone. */
  forget(): void;
  /** Kit time at which something is due next that nobody attempts, in milliseconds since the Unix epoch. */
  nextDue(): Promise<number | undefined>;
  /** Told of each attempt that was written down. Call what comes back to end it. */
  observe(listener: (attempted: Attempted) => void): () => void;
}

/** What an attempt came to, in words of the log and of the control API. */
export interface Attempted extends Attempt {
  readonly subscriptionId: string;
  readonly state: Outcome['state'];
}

export interface DispatcherSettings extends AttemptDeps {
  readonly onError: (error: unknown) => void;
  /** How long an attempt may take, in wall milliseconds. */
  readonly timeoutMs: number;
}

/** Wall milliseconds between two looks at the outbox. Several replicas share a database, and it with other programs. */
const EVERY_MS = { sqlite: 20, postgres: 100 } as const;
const LANES: readonly Lane[] = ['first', 'repeat'];

/** What an owner has claimed and not begun. */
interface Queue {
  readonly owner: Owner;
  readonly claimed: Due[];
  /** Wall time until which the claims hold. */
  readonly until: number;
}

export function createDispatcher({ onError, timeoutMs, ...deps }: DispatcherSettings): Dispatcher {
  /** How long a claim holds: long enough for several attempts in a row. */
  const leaseMs = timeoutMs + 15_000;
  /** An attempt is not started if it could outlive its claim. */
  const longestAttemptMs = timeoutMs + 1000;
  const { store, clock, ids } = deps;
  const inFlight = createInFlight();
  const outcomes = createOutcomes(store, () => inFlight.size > 0);
  const underWay = new Set<Promise<void>>();
  const queues = new Map<string, Queue>();
  const listeners = new Set<(attempted: Attempted) => void>();
  let stopped: AbortController | undefined;
  let wake = () => {};
  let looking: Promise<void> = Promise.resolve();
  let looping: Promise<void> = Promise.resolve();

  /** Claims what is due, where nothing claimed waits, and begins as much of it as there is room for. @returns how many were claimed */
  async function look(): Promise<number> {
    // Where all attempts together were too many, a subscription may wait without one of its own.
    for (const { owner } of [...queues.values()]) pump(owner);
    const [now, wall] = [clock.now(), Date.now()];
    const until = wall + leaseMs;
    const owners = (await Promise.all(LANES.map((lane) => dueOwners(store.db, lane, { now, wall })))).flat();
    const open = owners
      .filter((owner) => !queues.has(keyOf(owner)) && inFlight.room(owner) > 0)
      // Who has nothing under way comes first: others have their turn whenever an attempt of theirs ends.
      .toSorted((a, b) => inFlight.of(a) - inFlight.of(b));
    if (open.length === 0) return 0;
    const lots = await claimLots(store, open, inFlight, { claim: ids.uuid(), now, wall, until });
    for (const [owner, lot] of lots) {
      queues.set(keyOf(owner), { owner, claimed: [...lot], until });
      pump(owner);
    }
    return lots.reduce((all, [, lot]) => all + lot.length, 0);
  }

  /** Begins attempts of an owner, as many as there is room for. */
  function pump(owner: Owner): void {
    const queue = queues.get(keyOf(owner));
    if (queue === undefined || stopped?.signal.aborted) return;
    while (inFlight.room(owner) > 0) {
      const next = queue.claimed.shift();
      if (next === undefined) {
        queues.delete(keyOf(owner));
        // There may be more of it.
        wake();
        return;
      }
      if (Date.now() < queue.until - longestAttemptMs) begin(owner, next);
      else {
        queues.delete(keyOf(owner));
        letGo([next, ...queue.claimed]);
        return;
      }
    }
  }

  function begin(owner: Owner, due: Due): void {
    inFlight.begun(owner);
    const making = attempt(due, deps)
      .finally(() => {
        inFlight.ended(owner);
        pump(owner);
      })
      .then(writeDown)
      .catch(onError)
      .finally(() => underWay.delete(making));
    underWay.add(making);
  }

  /** Others may take it at once. Where that fails its claim runs out by itself. */
  function letGo(claimed: readonly Due[]): void {
    const releasing = store
      .write((tx) => release(tx, claimed))
      .catch(onError)
      .finally(() => underWay.delete(releasing));
    underWay.add(releasing);
  }

  async function writeDown(outcome: Outcome): Promise<void> {
    if (!(await outcomes.write(outcome))) return;
    const { subscriptionId, state, attempt } = outcome;
    for (const listener of listeners) listener({ ...attempt, subscriptionId, state });
  }

  /** One look at a time: two would count the same room twice. */
  function lookOnce(): Promise<number> {
    const looked = looking.then(look);
    looking = looked.then(
      () => {},
      () => {},
    );
    return looked;
  }

  async function loop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await lookOnce();
        await Promise.race([woken, pause(EVERY_MS[store.engine], undefined, { signal })]);
      } catch (error) {
        if (signal.aborted) return;
        onError(error);
        await pause(1000, undefined, { signal }).catch(() => {});
      }
    }
  }

  return {
    async start() {
      // A SQLite file is one kit's alone: who claimed something before is gone. Replicas wait for the end of each other's leases.
      if (store.engine === 'sqlite') await store.write((tx) => release(tx));
      stopped = new AbortController();
      looping = loop(stopped.signal);
    },
    async stop() {
      stopped?.abort();
      await looping;
      await looking;
      const waiting = [...queues.values()].flatMap(({ claimed }) => claimed);
      queues.clear();
      if (waiting.length > 0) letGo(waiting);
      await Promise.all(underWay);
    },
    async settle(maxWaitMs) {
      const deadline = performance.now() + maxWaitMs;
      for (;;) {
        const begun = await lookOnce();
        if (begun === 0 && underWay.size === 0 && queues.size === 0) return true;
        const left = deadline - performance.now();
        if (left <= 0) return false;
        // What was begun may have ended before all was claimed: then nothing under way would end the pause.
        const over = new AbortController();
        await Promise.race([...underWay, pause(underWay.size === 0 ? 1 : left, undefined, over)]);
        // A timer that is left would keep a process alive whose kit is closed.
        over.abort();
      }
    },
    forget: () => queues.clear(),
    async nextDue() {
      const row = await nextDue.first(store.db, { wall: Date.now() });
      return row?.due == null ? undefined : Number(row.due);
    },
    observe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
