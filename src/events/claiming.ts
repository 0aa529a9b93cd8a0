import { type Claim, claim, claimedElsewhere, type Due, type Lane, type Owner } from '../store/claims.ts';
import type { Store } from '../store/store.ts';

/** Attempts of one subscription that may be in flight at once, so that a slow receiver does not delay the others. */
const MAX_PER_OWNER: Readonly<Record<Lane, number>> = { first: 8, repeat: 2 };
/** Attempts of all subscriptions that may be in flight at once. */
const MAX_IN_FLIGHT = 128;
/** Deliveries of one owner that are claimed at once. */
const BATCH_SIZE = 64;

/** The deliveries claimed for one owner. */
export type Batch = readonly [owner: Owner, claimed: readonly Due[]];

export const keyOf = ({ subscriptionId, lane }: Owner): string => `${lane} ${subscriptionId}`;

/** Counts the attempts in flight in this process. */
export type InFlight = ReturnType<typeof createInFlight>;

export function createInFlight() {
  const counts = new Map<string, number>();
  let size = 0;
  const of = (owner: Owner) => counts.get(keyOf(owner)) ?? 0;
  const freeSlots = () => MAX_IN_FLIGHT - size;
  return {
    /** Attempts of this owner that are in flight. */
    of,
    /** Attempts that may still start, of all owners together. */
    freeSlots,
    /** Attempts of this owner that may still start. */
    freeSlotsOf: (owner: Owner) => Math.min(MAX_PER_OWNER[owner.lane] - of(owner), freeSlots()),
    started(owner: Owner) {
      size += 1;
      counts.set(keyOf(owner), of(owner) + 1);
    },
    ended(owner: Owner) {
      size -= 1;
      counts.set(keyOf(owner), of(owner) - 1);
      // Otherwise deleted subscriptions would stay in the map for ever.
      if (of(owner) === 0) counts.delete(keyOf(owner));
    },
  };
}

/**
 * Claims deliveries of these owners, in this order, in one transaction: a transaction costs far more than a claim. Stops when all free slots are taken,
 * because further deliveries would wait here until their claims expire while other replicas may not take them.
 */
export function claimBatches(
  store: Store,
  owners: readonly Owner[],
  inFlight: InFlight,
  terms: Omit<Claim, 'limit'>,
): Promise<readonly Batch[]> {
  return store.write(async (tx) => {
    const elsewhere = await claimedElsewhere(tx);
    const batches: Batch[] = [];
    let slots = inFlight.freeSlots();
    for (const owner of owners) {
      if (slots <= 0) break;
      if (owner.lane === 'first' && elsewhere.has(owner.subscriptionId)) continue;
      const claimed = await claim(tx, owner, { limit: BATCH_SIZE, ...terms });
      slots -= Math.min(claimed.length, inFlight.freeSlotsOf(owner));
      if (claimed.length > 0) batches.push([owner, claimed]);
    }
    return batches;
  });
}
