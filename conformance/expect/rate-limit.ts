/** The number of assignability checks that one credential may send per second (specification, section Limits). */
export const LIMIT = 100;
/**
 * The lowest wrong limit that verifyLimit distinguishes from 100. A limit between 101 and 109 would need a longer load, because the kind of
 * window is unknown (mostAllowed).
 */
const TOO_HIGH = 110;
/** The number of checks by which a limit of TOO_HIGH must exceed mostAllowed, so that a few late responses cannot hide the difference. */
const MARGIN = 30;

/** An assignability check and its response. Times are in milliseconds since the first check was sent. */
export interface TimedCheck {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly isPassed: boolean;
}

/**
 * The largest number of checks that may pass within n seconds: (n + 1) × 100. The specification leaves the kind of window open. A sliding
 * window lets n × 100 checks pass. With calendar seconds, (n + 1) × 100 can pass, because n seconds can overlap n + 1 calendar seconds. A
 * token bucket that is full at the start lets 100 checks pass in addition to n × 100.
 */
const mostAllowed = (seconds: number): number => (seconds + 1) * LIMIT;

/** Returns those of the ascending times at which a sliding window of TOO_HIGH, the strictest kind of window, would let a check pass. */
function passesIfTooHigh(times: readonly number[]): readonly number[] {
  const passes: number[] = [];
  for (const time of times) if ((passes.at(-TOO_HIGH) ?? Number.NEGATIVE_INFINITY) <= time - 1000) passes.push(time);
  return passes;
}

/**
 * Decides whether the target limits a credential to LIMIT.
 * @param checks in the order of the responses
 * @returns `exceeded`: describes an interval in which too many checks passed. `isKept`: whether the limit was kept under a load that would
 * have exceeded even a limit of TOO_HIGH. If the load was too low, for example on a slow machine, `exceeded` is absent and `isKept` is
 * false.
 */
export function verifyLimit(checks: readonly TimedCheck[]): { readonly exceeded?: string; readonly isKept: boolean } {
  const duration = Math.ceil((checks.at(-1)?.answeredAt ?? 0) / 1000);
  const sentTimes = checks.map(({ sentAt }) => sentAt).toSorted((a, b) => a - b);
  let isKept = false;
  for (let from = 0; from < duration; from += 1) {
    // The target counted a check at a time between its sending and its response, so an interval contains a check only if it contains both.
    const sent = checks.filter(({ sentAt }) => sentAt >= from * 1000);
    // Checks that are delayed arrive together, and then fewer of them pass. The target counted them between these two times.
    const ifTooHigh = [sentTimes.filter((time) => time >= from * 1000), sent.map(({ answeredAt }) => answeredAt)].map(passesIfTooHigh);
    let passed = 0;
    for (let to = from + 1; to <= duration; to += 1) {
      const within = sent.filter(({ answeredAt }) => answeredAt > (to - 1) * 1000 && answeredAt <= to * 1000);
      passed += within.filter(({ isPassed }) => isPassed).length;
      const most = mostAllowed(to - from);
      if (passed > most) return { exceeded: `at most ${most} checks pass within ${to - from} seconds, not ${passed}`, isKept: false };
      isKept ||= ifTooHigh.every((passes) => passes.filter((time) => time <= to * 1000).length >= most + MARGIN);
    }
  }
  return { isKept };
}
