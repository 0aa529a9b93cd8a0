import { type Claim, claim, claimedElsewhere, type Due, type Lane, type Owner } from '../store/claims.ts';
import type { Store } from '../store/store.ts';

/**
 * The maximum number of attempts in flight for one subscription in this process. The limit prevents a slow receiver from delaying other
 * receivers.
 */
const MAX_PER_OWNER: Readonly<Record<Lane, number>> = { first: 8, repeat: 2 };
/** The maximum number of attempts in flight for all subscriptions in this process. */
const MAX_IN_FLIGHT = 128;
/** The maximum number of deliveries that one claim of one subscription contains. */
export const BATCH_SIZE = 64;

/** Deliveries of one owner that were claimed together. An owner is a subscription and a lane. */
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
    /** Returns the number of attempts in flight for this owner. */
    of,
    /** Returns the number of attempts that may still start for all owners together. */
    freeSlots,
    /** Returns the number of attempts that may still start for this owner. */
    freeSlotsOf: (owner: Owner) => Math.min(MAX_PER_OWNER[owner.lane] - of(owner), freeSlots()),
    started(owner: Owner) {
      size += 1;
      counts.set(keyOf(owner), of(owner) + 1);
    },
    ended(owner: Owner) {
      size -= 1;
      counts.set(keyOf(owner), of(owner) - 1);
      // A count of 0 is deleted, so that the map does not keep deleted subscriptions.
      if (of(owner) === 0) counts.delete(keyOf(owner));
    },
  };
}

/**
 * Claims deliveries of the owners in the given order. All claims are one transaction, because a transaction costs far more than a claim.
 * Claiming stops when the claimed deliveries fill all free slots. Further deliveries would have to wait in this process, and other replicas
 * could not send them until the claims expire.
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
