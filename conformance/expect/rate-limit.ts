/** How many assignability checks one credential may send in a second (specification, Limits). */
export const LIMIT = 100;
/** The lowest limit that is told from 100. Less would take longer, because the kind of window is open (mostAllowed). */
const TOO_HIGH = 110;
/** How many more checks must pass with the limit TOO_HIGH than are allowed, so that a few late responses do not hide it. */
const MARGIN = 30;

/** A check and its response. Times are in milliseconds since the first check was sent. */
export interface TimedCheck {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly isPassed: boolean;
}

/**
 * How many checks may pass within n seconds: (n + 1) × 100, because the specification leaves the kind of window open. A sliding window lets
 * n × 100 pass, but n seconds can overlap n + 1 calendar seconds, and a bucket that is full at first lets 100 more pass.
 */
const mostAllowed = (seconds: number): number => (seconds + 1) * LIMIT;

/**
 * Decides whether a credential was held to its limit.
 * @returns `exceeded`: a sentence if too many checks passed in some seconds; `isKept`: whether so many checks were sent in some seconds that
 * even a limit of 110 would have been exceeded. On a slow machine neither is the case.
 */
export function verifyLimit(checks: readonly TimedCheck[]): { readonly exceeded?: string; readonly isKept: boolean } {
  const duration = Math.ceil((checks.at(-1)?.answeredAt ?? 0) / 1000);
  let isKept = false;
  for (let from = 0; from < duration; from += 1) {
    // The time at which the target counted a check lies between the sending and the response.
    const sent = checks.filter(({ sentAt }) => sentAt >= from * 1000);
    let [passed, passedIfTooHigh] = [0, 0];
    for (let to = from + 1; to <= duration; to += 1) {
      const within = sent.filter(({ answeredAt }) => answeredAt > (to - 1) * 1000 && answeredAt <= to * 1000);
      passed += within.filter(({ isPassed }) => isPassed).length;
      passedIfTooHigh += Math.min(within.length, TOO_HIGH);
      const most = mostAllowed(to - from);
      if (passed > most) return { exceeded: `at most ${most} checks pass within ${to - from} seconds, not ${passed}`, isKept: false };
      isKept ||= passedIfTooHigh >= most + MARGIN;
    }
  }
  return { isKept };
}
