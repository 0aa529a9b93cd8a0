import { setTimeout as pause } from 'node:timers/promises';
import { claim, dueSubscriptions, type Lane, nextDue, releaseClaims } from '../store/deliveries.ts';
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
/** Wall milliseconds between two looks at the outbox. Several replicas share a database, and it with other programs. */
const EVERY_MS = { sqlite: 20, postgres: 100 } as const;
const LANES: readonly Lane[] = ['first', 'repeat'];

export function createDispatcher({ onError, leaseMs = LEASE_MS, ...deps }: DispatcherSettings): Dispatcher {
  const { store, clock, ids } = deps;
  const inFlight = createInFlight();
  const underWay = new Set<Promise<void>>();
  const listeners = new Set<(attempted: Attempted) => void>();
  let stopped: AbortController | undefined;
  let looking: Promise<void> = Promise.resolve();
  let looping: Promise<void> = Promise.resolve();

  /** Begins all attempts for which there is something due, and room. @returns how many */
  async function look(): Promise<number> {
    let begun = 0;
    const [now, wall] = [clock.now(), Date.now()];
    for (const { id } of await dueSubscriptions(store.db, { now, wall })) {
      for (const lane of LANES) {
        const limit = inFlight.room(id, lane);
        if (limit <= 0) continue;
        const mine = ids.uuid();
        const taken = await store.write((tx) =>
          claim(tx, { subscriptionId: id, lane, limit, claim: mine, now, wall, until: wall + leaseMs }),
        );
        for (const due of taken) {
          begun += 1;
          inFlight.begun(id, lane);
          const making = attempt(due, mine, deps)
            .then((attempted) => {
              if (attempted) for (const listener of listeners) listener(attempted);
            })
            .catch(onError)
            .finally(() => {
              inFlight.ended(id, lane);
              underWay.delete(making);
            });
          underWay.add(making);
        }
      }
    }
    return begun;
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
        // Where there was something, there may be more, as soon as there is room.
        if ((await lookOnce()) > 0) await Promise.race([...underWay, pause(EVERY_MS[store.engine])]);
        else await pause(EVERY_MS[store.engine], undefined, { signal });
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
      if (store.engine === 'sqlite') await store.write(releaseClaims);
      stopped = new AbortController();
      looping = loop(stopped.signal);
    },
    async stop() {
      stopped?.abort();
      await looping;
      await looking;
      await Promise.all(underWay);
    },
    async settle(maxWaitMs) {
      const deadline = performance.now() + maxWaitMs;
      for (;;) {
        const begun = await lookOnce();
        if (begun === 0 && underWay.size === 0) return;
        const left = deadline - performance.now();
        if (left <= 0) return;
        await Promise.race([...underWay, pause(left)]);
      }
    },
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
