export interface TimedAttempt {
  /** The deadline, in milliseconds of `performance.now()`. */
  readonly deadline: number;
  onDeadline(): void;
}

/** Ends attempts at their deadlines. All attempts must have the same timeout, because they share one timer. */
export function createDeadlines() {
  /** In deadline order, because the attempts were added in this order. */
  const waiting = new Set<TimedAttempt>();
  let timer: NodeJS.Timeout | undefined;

  function watchFirst(): void {
    const [first] = waiting;
    timer = first && setTimeout(endOverdue, Math.max(0, first.deadline - performance.now()));
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
    /** Returns false if the deadline has already passed. */
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
