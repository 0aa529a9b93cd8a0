import { type Claim, claim, claimedElsewhere, type Due, type Owner } from '../store/claims.ts';
import type { Store } from '../store/store.ts';
import type { InFlight } from './in-flight.ts';

/** How many deliveries of an owner are claimed at once: most are made as fast as they are claimed. */
const LOT = 64;

/** What was claimed of an owner. */
export type Lot = readonly [owner: Owner, claimed: readonly Due[]];

/**
 * Claims deliveries of these owners, the first of them first: all in one transaction, which costs far more than a claim; but of no owner whose deliveries
 * would only wait for a place until the claim has run out, while other replicas may not take them.
 */
export function claimLots(
  store: Store,
  owners: readonly Owner[],
  inFlight: InFlight,
  terms: Omit<Claim, 'limit'>,
): Promise<readonly Lot[]> {
  return store.write(async (tx) => {
    const elsewhere = await claimedElsewhere(tx);
    const lots: Lot[] = [];
    let room = inFlight.roomAtAll;
    for (const owner of owners) {
      if (room <= 0) break;
      if (owner.lane === 'first' && elsewhere.has(owner.subscriptionId)) continue;
      const claimed = await claim(tx, owner, { limit: LOT, ...terms });
      room -= Math.min(claimed.length, inFlight.room(owner));
      if (claimed.length > 0) lots.push([owner, claimed]);
    }
    return lots;
  });
}
