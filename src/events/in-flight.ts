import type { Lane, Owner } from '../store/claims.ts';

/** How many attempts a subscription may have under way: one that hangs or is slow holds no more than these, and no other's. */
const MOST: Readonly<Record<Lane, number>> = { first: 8, repeat: 2 };
/** How many all of them together may have. */
const MOST_AT_ALL = 128;

/** What is under way in this process. */
export interface InFlight {
  readonly size: number;
  /** How many more attempts may be begun at all. */
  readonly roomAtAll: number;
  /** How many attempts of this owner are under way. */
  of(owner: Owner): number;
  /** How many more attempts of this owner may be begun. */
  room(owner: Owner): number;
  begun(owner: Owner): void;
  ended(owner: Owner): void;
}

/** What an owner is looked up by. */
export const keyOf = ({ subscriptionId, lane }: Owner): string => `${lane} ${subscriptionId}`;

export function createInFlight(): InFlight {
  const counts = new Map<string, number>();
  let size = 0;
  const of = (owner: Owner) => counts.get(keyOf(owner)) ?? 0;
  const roomAtAll = () => MOST_AT_ALL - size;
  return {
    get size() {
      return size;
    },
    get roomAtAll() {
      return roomAtAll();
    },
    of,
    room: (owner) => Math.min(MOST[owner.lane] - of(owner), roomAtAll()),
    begun(owner) {
      size += 1;
      counts.set(keyOf(owner), of(owner) + 1);
    },
    ended(owner) {
      size -= 1;
      const left = of(owner) - 1;
      // Nothing is kept of a subscription that has nothing under way: those that are gone would stay for ever.
      if (left <= 0) counts.delete(keyOf(owner));
      else counts.set(keyOf(owner), left);
    },
  };
}
