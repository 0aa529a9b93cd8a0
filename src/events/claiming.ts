import { type ClaimedDelivery, type ClaimTerms, claimDeliveries, findClaimedElsewhere } from '../store/claims.ts';
import type { Owner } from '../store/due.ts';
import type { Store } from '../store/store.ts';
import type { Queues } from './queues.ts';

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
