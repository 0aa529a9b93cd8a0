/** An attempt that ends at its deadline if nothing ends it before. */
export interface TimedAttempt {
  /** When the attempt ends, on the clock of `performance.now`, in milliseconds. */
  readonly deadline: number;
  onDeadline(): void;
}

/** Watches the deadlines of attempts that all last equally long. They share one timer, because most attempts end long before. */
export function createDeadlines() {
  /** In the order of their deadlines, which is the order in which they were added. */
  const waiting = new Set<TimedAttempt>();
  let timer: NodeJS.Timeout | undefined;

  function watchFirst(): void {
    const [first] = waiting;
    timer = first && setTimeout(endOverdue, first.deadline - performance.now());
  }

  function endOverdue(): void {
    const now = performance.now();
    for (const attempt of waiting) {
      if (attempt.deadline > now) break;
      waiting.delete(attempt);
      attempt.onDeadline();
    }
    watchFirst();
  }

  return {
    add(attempt: TimedAttempt): void {
      waiting.add(attempt);
      if (timer === undefined) watchFirst();
    },
    /** Returns false if the deadline was reached before. */
    delete(attempt: TimedAttempt): boolean {
      const isInTime = waiting.delete(attempt);
      if (waiting.size === 0) {
        clearTimeout(timer);
        timer = undefined;
      }
      return isInTime;
    },
  };
}
