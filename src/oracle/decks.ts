import type { HostileValue } from '../refusals/hostile-value.ts';

/** Draws each item of a deck once, in random order, before it draws one again, so that nothing waits for luck. */
export class Decks {
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  private readonly rest = new Map<string, number[]>();

  constructor(random: () => number) {
    this.random = random;
  }

  /** @param name of the deck. What it contains may change between two draws, but not what the items mean. */
  draw<Item>(name: string, items: readonly Item[]): Item {
    const key = `${name} ${items.length}`;
    let rest = this.rest.get(key) ?? [];
    if (rest.length === 0) {
      rest = items.map((_, index) => index);
      this.rest.set(key, rest);
    }
    const [index = 0] = rest.splice(Math.floor(this.random() * rest.length), 1);
    return items[index]!;
  }

  /** Draws a value with another flaw each time, because a server that accepts one value often accepts others with the same flaw. */
  drawValue<Value>(name: string, values: readonly HostileValue<Value>[]): Value {
    const byFlaw = Map.groupBy(values, ({ flaw }) => flaw);
    const flaw = this.draw(name, [...byFlaw.keys()]);
    return this.draw(`${name} ${flaw}`, byFlaw.get(flaw)!).value;
  }

  /** @param weights how often each item is in the deck */
  drawWeighted<Item extends string>(name: string, weights: Readonly<Partial<Record<Item, number>>>): Item {
    return this.draw(
      name,
      Object.entries<number | undefined>(weights).flatMap(([item, weight = 0]) => new Array<Item>(weight).fill(item as Item)),
    );
  }
}
