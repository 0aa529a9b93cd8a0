import { type Claim, claim, claimedElsewhere, type Due, type Lane, type Owner } from '../store/claims.ts';
import type { Store } from '../store/store.ts';

/** The maximum number of attempts of one subscription in flight in this process, so that a slow receiver does not delay other receivers. */
const MAX_PER_OWNER: Readonly<Record<Lane, number>> = { first: 8, repeat: 2 };
/** The maximum number of attempts of all subscriptions in flight in this process. */
const MAX_IN_FLIGHT = 128;
/** The maximum number of deliveries of one subscription that are claimed at once. */
const BATCH_SIZE = 64;

/** Deliveries that were claimed together, with the subscription and lane that all of them belong to. */
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
    /** How many attempts of this owner are in flight. */
    of,
    /** How many more attempts of all owners together may start. */
    freeSlots,
    /** How many more attempts of this owner may start. */
    freeSlotsOf: (owner: Owner) => Math.min(MAX_PER_OWNER[owner.lane] - of(owner), freeSlots()),
    started(owner: Owner) {
      size += 1;
      counts.set(keyOf(owner), of(owner) + 1);
    },
    ended(owner: Owner) {
      size -= 1;
      counts.set(keyOf(owner), of(owner) - 1);
      // Counts of 0 are deleted, so that deleted subscriptions do not stay in the map.
      if (of(owner) === 0) counts.delete(keyOf(owner));
    },
  };
}

/**
 * Claims deliveries of these owners, in this order, in one transaction, because a transaction costs far more than a claim. Stops when the
 * claimed deliveries fill all free slots: further deliveries would only wait in this process, and until their claims expire no other
 * replica could send them.
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
