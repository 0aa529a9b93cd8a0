/** The limit per credential, in checks per second (specification, section Limits). */
export const CHECKS_PER_SECOND = 100;
/** The lowest limit that verifyLimit detects as too high. To detect a limit closer to 100, the load would have to be longer. */
const DETECTED_LIMIT = 110;
/** A load is long enough if DETECTED_LIMIT lets at least this many more checks pass than calculateMaxAllowed allows. */
const MARGIN_CHECKS = 30;

/** A check and its response. Times are in milliseconds after the first check was sent. */
export interface TimedCheck {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly isPassed: boolean;
}

/** Returns the most checks that may pass in n seconds, which can overlap n + 1 calendar seconds. */
const calculateMaxAllowed = (seconds: number): number => (seconds + 1) * CHECKS_PER_SECOND;

/** Returns the times of the checks that a limit of DETECTED_LIMIT would let pass. Uses a sliding window, which lets the fewest pass. */
function simulateDetectedLimit(times: readonly number[]): readonly number[] {
  const passes: number[] = [];
  for (const time of times) if ((passes.at(-DETECTED_LIMIT) ?? Number.NEGATIVE_INFINITY) <= time - 1000) passes.push(time);
  return passes;
}

/**
 * Decides whether the target limits a credential to CHECKS_PER_SECOND.
 * @param checks in the order of the responses
 * @returns `exceeded`: describes an interval with too many checks. `isKept`: whether the load was high enough and the limit held.
 */
export function verifyLimit(checks: readonly TimedCheck[]): { readonly exceeded?: string; readonly isKept: boolean } {
  const duration = Math.ceil((checks.at(-1)?.answeredAt ?? 0) / 1000);
  const sentTimes = checks.map(({ sentAt }) => sentAt).toSorted((a, b) => a - b);
  let isKept = false;
  for (let from = 0; from < duration; from += 1) {
    // The target counts a check at an unknown time between request and response, so count only checks that start and end in the interval.
    const sent = checks.filter(({ sentAt }) => sentAt >= from * 1000);
    // A limit lets fewer checks pass if they arrive together. The arrival times are unknown, so simulate the earliest and the latest ones.
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
