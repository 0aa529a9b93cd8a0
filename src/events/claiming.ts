import { type ClaimedDelivery, type ClaimTerms, claimDeliveries, findClaimedElsewhere } from '../store/claims.ts';
import type { Owner } from '../store/due.ts';
import type { Store } from '../store/store.ts';
import type { Queues } from './queues.ts';

/** The maximum number of deliveries in one claim for one subscription. */
export const BATCH_SIZE = 64;

/** One owner's deliveries that were claimed together. */
export type Batch = readonly [owner: Owner, claimed: readonly ClaimedDelivery[]];

/**
 * Claims deliveries for the owners, in the given order. All claims share one transaction, because a transaction costs far more than a
 * claim. Claiming stops when the claimed deliveries fill all free slots. Further deliveries would wait in this process, and other replicas
 * could not send them until the claims expire.
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
