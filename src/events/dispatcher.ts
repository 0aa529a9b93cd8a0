import { setTimeout as pause } from 'node:timers/promises';
import { claim, type Due, dueSubscriptions, type Lane, nextDue, release } from '../store/deliveries.ts';
import { type AttemptDeps, type Attempted, attempt } from './attempt.ts';
import { createInFlight } from './in-flight.ts';

/** Sends what the outbox holds, each delivery until it is acknowledged or its schedule is over. At least once: never lost, and it may repeat. */
export interface Dispatcher {
  /** Begins to look at the outbox. What an earlier process had under way is taken up. */
  start(): Promise<void>;
  /** Begins nothing more, and waits for what is under way. */
  stop(): Promise<void>;
  /** Attempts whatever is due at the present kit time, and waits for what that comes to, but no longer than so many wall milliseconds. */
  settle(maxWaitMs: number): Promise<void>;
  /** Forgets what is claimed and not begun: the world it belongs to is gone. */
  forget(): void;
  /** Kit time at which something is due next that nobody attempts, in milliseconds since the Unix epoch. */
  nextDue(): Promise<number | undefined>;
  /** Told of each attempt that was written down. Call what comes back to end it. */
  observe(listener: (attempted: Attempted) => void): () => void;
}

export interface DispatcherSettings extends AttemptDeps {
  readonly onError: (error: unknown) => void;
  /** How long an attempt holds its claim, in wall milliseconds: longer than it may take. */
  readonly leaseMs?: number;
}

const LEASE_MS = 30_000;
/** An attempt that would outlive its claim is not begun: as long as one may take, and a second. */
const LONGEST_ATTEMPT_MS = 16_000;
/** How many deliveries of a subscription are claimed at once: a claim is a transaction, and most are made as fast as they are claimed. */
const LOT = 32;
/** Wall milliseconds between two looks at the outbox. Several replicas share a database, and it with other programs. */
const EVERY_MS = { sqlite: 20, postgres: 100 } as const;
const LANES: readonly Lane[] = ['first', 'repeat'];

interface Claimed {
  readonly due: Due;
  readonly claim: string;
  /** Wall time until which the claim holds. */
  readonly until: number;
}

const keyOf = (subscriptionId: string, lane: Lane): string => `${lane} ${subscriptionId}`;
function ownerOf(key: string): [subscriptionId: string, lane: Lane] {
  const [lane, subscriptionId] = key.split(' ') as [Lane, string];
  return [subscriptionId, lane];
}

export function createDispatcher({ onError, leaseMs = LEASE_MS, ...deps }: DispatcherSettings): Dispatcher {
  const { store, clock, ids } = deps;
  const inFlight = createInFlight();
  const underWay = new Set<Promise<void>>();
  /** What is claimed and not begun, by lane and subscription. */
  const queues = new Map<string, Claimed[]>();
  const listeners = new Set<(attempted: Attempted) => void>();
  let stopped: AbortController | undefined;
  let wake = () => {};
  let looking: Promise<void> = Promise.resolve();
  let looping: Promise<void> = Promise.resolve();

  /** Claims what is due, where nothing claimed waits, and begins as much of it as there is room for. @returns how many were claimed */
  async function look(): Promise<number> {
    // Where all attempts together were too many, a subscription may wait without one of its own.
    for (const key of [...queues.keys()]) pump(...ownerOf(key));
    let claimed = 0;
    const [now, wall] = [clock.now(), Date.now()];
    for (const id of await dueSubscriptions(store.db, { now, wall })) {
      for (const lane of LANES) {
        const key = keyOf(id, lane);
        if (queues.has(key) || inFlight.room(id, lane) <= 0) continue;
        const [mine, until] = [ids.uuid(), wall + leaseMs];
        const taken = await store.write((tx) => claim(tx, { subscriptionId: id, lane, limit: LOT, claim: mine, now, wall, until }));
        if (taken.length === 0) continue;
        claimed += taken.length;
        queues.set(
          key,
          taken.map((due) => ({ due, claim: mine, until })),
        );
        pump(id, lane);
      }
    }
    return claimed;
  }

  /** Begins attempts of a subscription, as many as there is room for. */
  function pump(subscriptionId: string, lane: Lane): void {
    const key = keyOf(subscriptionId, lane);
    const queue = queues.get(key);
    if (queue === undefined || stopped?.signal.aborted) return;
    while (inFlight.room(subscriptionId, lane) > 0) {
      const next = queue.shift();
      if (next === undefined) {
        queues.delete(key);
        // There may be more of it.
        wake();
        return;
      }
      // Its claim runs out by itself, and whoever looks then takes it.
      if (Date.now() < next.until - LONGEST_ATTEMPT_MS) begin(next, lane);
    }
  }

  function begin({ due, claim }: Claimed, lane: Lane): void {
    const { subscriptionId } = due;
    inFlight.begun(subscriptionId, lane);
    const making = attempt(due, claim, deps)
      .then((attempted) => {
        if (attempted) for (const listener of listeners) listener(attempted);
      })
      .catch(onError)
      .finally(() => {
        inFlight.ended(subscriptionId, lane);
        underWay.delete(making);
        pump(subscriptionId, lane);
      });
    underWay.add(making);
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
      const waiting = [...queues.values()].flat();
      queues.clear();
      // What was claimed and not begun is there for others at once.
      if (waiting.length > 0)
        await store.write((tx) =>
          release(
            tx,
            waiting.map(({ due }) => due.id),
          ),
        );
      await Promise.all(underWay);
    },
    async settle(maxWaitMs) {
      const deadline = performance.now() + maxWaitMs;
      for (;;) {
        const begun = await lookOnce();
        if (begun === 0 && underWay.size === 0 && queues.size === 0) return;
        const left = deadline - performance.now();
        if (left <= 0) return;
        // What was begun may have ended before all was claimed: then nothing under way would end the pause.
        await Promise.race([...underWay, pause(underWay.size === 0 ? 1 : left)]);
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
