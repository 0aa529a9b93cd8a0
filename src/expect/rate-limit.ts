/** The limit per credential, in assignability requests per second (specification, section Limits). */
const CHECKS_PER_SECOND = 100;
/** The lowest limit, in requests per second, that verifyLimit detects as too high. */
const TOO_HIGH_LIMIT_PER_SECOND = 110;
/** A load test is long enough if a limit of TOO_HIGH_LIMIT_PER_SECOND would accept at least this many requests too many. */
const MIN_EXCESS_CHECKS = 20;

/** Times are in milliseconds after the first request was sent. */
export interface TimedCheck {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly isPassed: boolean;
}

/** An interval of n seconds can overlap n + 1 calendar seconds. */
const calculateMaxAllowed = (seconds: number): number => (seconds + 1) * CHECKS_PER_SECOND;

/** Simulates a sliding window, the strictest kind. */
function simulateTooHighLimit(timesMs: readonly number[]): readonly number[] {
  const passes: number[] = [];
  for (const time of timesMs) if ((passes.at(-TOO_HIGH_LIMIT_PER_SECOND) ?? Number.NEGATIVE_INFINITY) <= time - 1000) passes.push(time);
  return passes;
}

/**
 * Decides whether the target limits a credential to CHECKS_PER_SECOND.
 * @param checks the requests in the order of their responses
 * @returns `exceeded`: an error message if too many requests were accepted. `isKept`: true if enough requests show that the limit is
 * enforced.
 */
export function verifyLimit(checks: readonly TimedCheck[]): { readonly exceeded?: string; readonly isKept: boolean } {
  const duration = Math.ceil((checks.at(-1)?.answeredAt ?? 0) / 1000);
  const sentTimes = checks.map(({ sentAt }) => sentAt).toSorted((a, b) => a - b);
  let isKept = false;
  for (let from = 0; from < duration; from += 1) {
    // Count only requests that were both sent and answered in the interval, because the times at which they reach the target are unknown.
    const sent = checks.filter(({ sentAt }) => sentAt >= from * 1000);
    // Simulate both the earliest and the latest possible times of arrival, because they affect how many requests a limit accepts.
    const ifTooHigh = [sentTimes.filter((time) => time >= from * 1000), sent.map(({ answeredAt }) => answeredAt)].map(simulateTooHighLimit);
    let passed = 0;
    for (let to = from + 1; to <= duration; to += 1) {
      const within = sent.filter(({ answeredAt }) => answeredAt > (to - 1) * 1000 && answeredAt <= to * 1000);
      passed += within.filter(({ isPassed }) => isPassed).length;
      const most = calculateMaxAllowed(to - from);
      if (passed > most) return { exceeded: `at most ${most} checks pass within ${to - from} seconds, not ${passed}`, isKept: false };
      isKept ||= ifTooHigh.every((passes) => passes.filter((time) => time <= to * 1000).length >= most + MIN_EXCESS_CHECKS);
    }
  }
  return { isKept };
}
