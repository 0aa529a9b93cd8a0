/** The first items are chosen more often, so that commands meet. @param index from 0 to 30 */
export function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[Math.floor(items.length * (index / 31) ** 1.5)];
}

/** @returns the preferred items; all items if none is preferred */
export function prefer<Item>(items: readonly Item[], isPreferred: (item: Item) => boolean): readonly Item[] {
  const found = items.filter(isPreferred);
  return found.length > 0 ? found : items;
}

/** Returns a function that prefers what is near the latest step, if the command follows it. */
export const createNear =
  (follows: boolean) =>
  <Item>(items: readonly Item[], isNear: (item: Item) => boolean): readonly Item[] =>
    follows ? prefer(items, isNear) : items;
