/** Lets at most `count` callers in at a time, in the order of their calls. */
export function createTurns(count: number) {
  const waiting: (() => void)[] = [];
  let free = count;

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }

  /** @returns a function to call once when the turn ends */
  async function enter(): Promise<() => void> {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return leave;
  }

  return {
    enter,
    async run<T>(work: () => Promise<T>): Promise<T> {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
