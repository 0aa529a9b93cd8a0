/** The number of assignability checks that one credential may send per second (specification, section Limits). */
export const CHECKS_PER_SECOND = 100;
/**
 * The lowest limit that verifyLimit can distinguish from 100. Detecting a limit from 101 to 109 would need a longer load, because the kind
 * of window is unknown (maxAllowed).
 */
const DETECTED_LIMIT = 110;
/** How many more checks than maxAllowed a limit of DETECTED_LIMIT must let pass, so that late responses cannot hide the difference. */
const MARGIN_CHECKS = 30;

/** An assignability check and its response. Times are in milliseconds after the first check was sent. */
export interface TimedCheck {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly isPassed: boolean;
}

/**
 * The largest number of checks that may pass within n seconds: (n + 1) × 100. The specification does not define the kind of window. A
 * sliding window lets n × 100 checks pass. With calendar seconds, (n + 1) × 100 can pass, because n seconds can overlap n + 1 calendar
 * seconds. A token bucket lets n × 100 checks pass, and another 100 if it is full at the start.
 */
const maxAllowed = (seconds: number): number => (seconds + 1) * CHECKS_PER_SECOND;

/** Returns the times at which a limit of DETECTED_LIMIT would let a check pass, assuming the strictest kind of window: a sliding window. */
function simulateDetectedLimit(times: readonly number[]): readonly number[] {
  const passes: number[] = [];
  for (const time of times) if ((passes.at(-DETECTED_LIMIT) ?? Number.NEGATIVE_INFINITY) <= time - 1000) passes.push(time);
  return passes;
}

/**
 * Decides whether the target limits a credential to LIMIT.
 * @param checks in the order of the responses
 * @returns `exceeded`: describes an interval in which too many checks passed. `isKept`: whether the limit was enforced under a load that
 * would have exceeded even a limit of DETECTED_LIMIT. If the load was too low, for example on a slow machine, `exceeded` is absent and
 * `isKept` is false.
 */
export function verifyLimit(checks: readonly TimedCheck[]): { readonly exceeded?: string; readonly isKept: boolean } {
  const duration = Math.ceil((checks.at(-1)?.answeredAt ?? 0) / 1000);
  const sentTimes = checks.map(({ sentAt }) => sentAt).toSorted((a, b) => a - b);
  let isKept = false;
  for (let from = 0; from < duration; from += 1) {
    // The target counted a check at some time between the request and the response. An interval contains a check only if the interval
    // contains both times.
    const sent = checks.filter(({ sentAt }) => sentAt >= from * 1000);
    // Fewer checks pass if they are delayed and arrive together, so simulate the limit with the earliest and the latest times.
    const ifTooHigh = [sentTimes.filter((time) => time >= from * 1000), sent.map(({ answeredAt }) => answeredAt)].map(
      simulateDetectedLimit,
    );
    let passed = 0;
    for (let to = from + 1; to <= duration; to += 1) {
      const within = sent.filter(({ answeredAt }) => answeredAt > (to - 1) * 1000 && answeredAt <= to * 1000);
      passed += within.filter(({ isPassed }) => isPassed).length;
      const most = maxAllowed(to - from);
      if (passed > most) return { exceeded: `at most ${most} checks pass within ${to - from} seconds, not ${passed}`, isKept: false };
      isKept ||= ifTooHigh.every((passes) => passes.filter((time) => time <= to * 1000).length >= most + MARGIN_CHECKS);
    }
  }
  return { isKept };
}
