import type { Lane } from '../store/deliveries.ts';

/** How many attempts a subscription may have under way: one that hangs or is slow holds no more than these, and no other's. */
const MOST: Readonly<Record<Lane, number>> = { first: 8, repeat: 2 };
/** How many all of them together may have. */
const MOST_AT_ALL = 128;

/** What is under way in this process. */
export interface InFlight {
  readonly size: number;
  /** How many more attempts of this subscription may be begun. */
  room(subscriptionId: string, lane: Lane): number;
  begun(subscriptionId: string, lane: Lane): void;
  ended(subscriptionId: string, lane: Lane): void;
}

export function createInFlight(): InFlight {
  const counts = new Map<string, number>();
  let size = 0;
  const key = (subscriptionId: string, lane: Lane) => `${lane} ${subscriptionId}`;
  return {
    get size() {
      return size;
    },
    room: (subscriptionId, lane) => Math.min(MOST[lane] - (counts.get(key(subscriptionId, lane)) ?? 0), MOST_AT_ALL - size),
    begun(subscriptionId, lane) {
      size += 1;
      counts.set(key(subscriptionId, lane), (counts.get(key(subscriptionId, lane)) ?? 0) + 1);
    },
    ended(subscriptionId, lane) {
      size -= 1;
      const left = (counts.get(key(subscriptionId, lane)) ?? 1) - 1;
      // Nothing is kept of a subscription that has nothing under way: those that are gone would stay for ever.
      if (left === 0) counts.delete(key(subscriptionId, lane));
      else counts.set(key(subscriptionId, lane), left);
    },
  };
}
