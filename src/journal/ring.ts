/** The last so many items; adding one to a full ring drops the oldest. */
export interface Ring<Item> {
  push(item: Item): void;
  newestFirst(): IteratorObject<Item>;
  clear(): void;
}

/** @throws RangeError where the capacity is no whole number above 0. */
export function createRing<Item>(capacity: number): Ring<Item> {
  if (!Number.isSafeInteger(capacity) || capacity < 1) {
    throw new RangeError(`The capacity is a whole number of entries, 1 or more, not ${capacity}.`);
  }
  let items: Item[] = [];
  /** Where the next one goes once the ring is full: there the oldest is. */
  let oldest = 0;

  function* newestFirst(): Generator<Item, undefined> {
    for (let back = 1; back <= items.length; back++) yield items[(oldest - back + items.length) % items.length] as Item;
  }

  return {
    push(item) {
      if (items.length < capacity) {
        items.push(item);
        return;
      }
      items[oldest] = item;
      oldest = (oldest + 1) % capacity;
    },
    newestFirst,
    clear() {
      items = [];
      oldest = 0;
    },
  };
}
