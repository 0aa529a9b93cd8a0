import { type ClaimedDelivery, type ClaimTerms, claimDeliveries, findClaimedElsewhere } from '../store/claims.ts';
import type { Lane, Owner } from '../store/due.ts';
import type { Store } from '../store/store.ts';

/** One process's maximum number of attempts in flight per subscription and lane, so that a slow receiver does not delay other receivers. */
const MAX_PER_OWNER: Readonly<Record<Lane, number>> = { first: 8, repeat: 2 };
const MAX_IN_FLIGHT = 128;

/** A subscription's claimed deliveries in one lane (first attempts or repeats). */
export interface Queue {
  readonly owner: Owner;
  claimed: ClaimedDelivery[];
  /** Whether the outbox may contain more due deliveries for this owner. */
  hasMore: boolean;
  /** Only `addInFlightAttempt` and `removeInFlightAttempt` change this number. */
  inFlight: number;
}

export type Queues = ReturnType<typeof createQueues>;

export function createQueues() {
  const queues = new Map<string, Queue>();
  let inFlight = 0;
  const getKey = ({ subscriptionId, lane }: Owner) => `${lane} ${subscriptionId}`;
  const countFreeSlots = () => MAX_IN_FLIGHT - inFlight;

  return {
    getQueue(owner: Owner): Queue {
      const key = getKey(owner);
      let queue = queues.get(key);
      if (queue === undefined) {
        queue = { owner, claimed: [], hasMore: false, inFlight: 0 };
        queues.set(key, queue);
      }
      return queue;
    },
    claimed: (): Queue[] => [...queues.values()].filter(({ claimed }) => claimed.length > 0),
    countFreeSlots,
    countFreeSlotsOf: ({ owner, inFlight }: Queue) => Math.min(MAX_PER_OWNER[owner.lane] - inFlight, countFreeSlots()),
    addInFlightAttempt(queue: Queue): void {
      inFlight += 1;
      queue.inFlight += 1;
    },
    removeInFlightAttempt(queue: Queue): void {
      inFlight -= 1;
      queue.inFlight -= 1;
    },
    /** Removes queues without deliveries, because their subscriptions may have been deleted. */
    prune(): void {
      for (const [key, { claimed, inFlight }] of queues) if (claimed.length === 0 && inFlight === 0) queues.delete(key);
    },
    clear(): void {
      for (const queue of queues.values()) Object.assign(queue, { claimed: [], hasMore: false });
    },
  };
}

/** The maximum number of deliveries in one claim for one subscription. */
export const BATCH_SIZE = 64;

export type Batch = readonly [owner: Owner, claimed: readonly ClaimedDelivery[]];

/**
 * Claims deliveries in the order of `owners`. Stops when there are enough for all attempts that may start now, so that other replicas can
 * claim the remaining deliveries. Uses one transaction, because a transaction costs far more than a claim.
 */
export function claimBatches(
  store: Store,
  owners: readonly Owner[],
  queues: Queues,
  terms: Omit<ClaimTerms, 'limit'>,
): Promise<readonly Batch[]> {
  return store.write(async (tx) => {
    const claimedElsewhere = await findClaimedElsewhere(tx);
    const batches: Batch[] = [];
    let slots = queues.countFreeSlots();
    for (const owner of owners) {
      if (slots <= 0) break;
      if (owner.lane === 'first' && claimedElsewhere.has(owner.subscriptionId)) continue;
      const claimed = await claimDeliveries(tx, owner, { limit: BATCH_SIZE, ...terms });
      slots -= Math.min(claimed.length, queues.countFreeSlotsOf(queues.getQueue(owner)));
      if (claimed.length > 0) batches.push([owner, claimed]);
    }
    return batches;
  });
}
