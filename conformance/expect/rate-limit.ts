/** The number of assignability checks that one credential may send per second (specification, section Limits). */
export const CHECKS_PER_SECOND = 100;
/**
 * The lowest limit that verifyLimit can distinguish from 100. Detecting a limit from 101 to 109 would need a longer load, because the kind
 * of window is unknown (calculateMaxAllowed).
 */
const DETECTED_LIMIT = 110;
/**
 * The number of checks by which DETECTED_LIMIT must exceed calculateMaxAllowed during a load, so that late responses cannot hide the
 * difference.
 */
const MARGIN_CHECKS = 30;

/** An assignability check and its response. Times are in milliseconds after the first check was sent. */
export interface TimedCheck {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly isPassed: boolean;
}

/**
 * Returns the largest number of checks that may pass within n seconds: (n + 1) × 100. The specification does not define the kind of window.
 * A sliding window lets n × 100 checks pass. With calendar seconds, (n + 1) × 100 can pass, because n seconds can overlap n + 1 calendar
 * seconds. A token bucket lets n × 100 checks pass, and another 100 if it is full at the start.
 */
const calculateMaxAllowed = (seconds: number): number => (seconds + 1) * CHECKS_PER_SECOND;

/** Returns the times at which DETECTED_LIMIT would let a check pass with a sliding window, the strictest kind of window. */
function simulateDetectedLimit(times: readonly number[]): readonly number[] {
  const passes: number[] = [];
  for (const time of times) if ((passes.at(-DETECTED_LIMIT) ?? Number.NEGATIVE_INFINITY) <= time - 1000) passes.push(time);
  return passes;
}

/**
 * Decides whether the target limits a credential to CHECKS_PER_SECOND.
 * @param checks the checks, in the order of the responses
 * @returns `exceeded`: a description of an interval in which too many checks passed. `isKept`: whether the limit was enforced, although the
 * load exceeded even DETECTED_LIMIT. If the load was too low, for example on a slow machine, `exceeded` is absent and `isKept` is false.
 */
export function verifyLimit(checks: readonly TimedCheck[]): { readonly exceeded?: string; readonly isKept: boolean } {
  const duration = Math.ceil((checks.at(-1)?.answeredAt ?? 0) / 1000);
  const sentTimes = checks.map(({ sentAt }) => sentAt).toSorted((a, b) => a - b);
  let isKept = false;
  for (let from = 0; from < duration; from += 1) {
    // The target counted a check at some time between the request and the response. An interval contains a check only if the interval
    // contains both times.
    const sent = checks.filter(({ sentAt }) => sentAt >= from * 1000);
    // Fewer checks pass if they are delayed and arrive together, so simulate the limit with both the earliest and the latest arrival times.
    const ifTooHigh = [sentTimes.filter((time) => time >= from * 1000), sent.map(({ answeredAt }) => answeredAt)].map(
      simulateDetectedLimit,
    );
    let passed = 0;
    for (let to = from + 1; to <= duration; to += 1) {
      const within = sent.filter(({ answeredAt }) => answeredAt > (to - 1) * 1000 && answeredAt <= to * 1000);
      passed += within.filter(({ isPassed }) => isPassed).length;
      const most = calculateMaxAllowed(to - from);
      if (passed > most) return { exceeded: `at most ${most} checks pass within ${to - from} seconds, not ${passed}`, isKept: false };
      isKept ||= ifTooHigh.every((passes) => passes.filter((time) => time <= to * 1000).length >= most + MARGIN_CHECKS);
    }
  }
  return { isKept };
}
