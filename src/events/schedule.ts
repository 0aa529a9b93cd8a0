import type { Decisions } from '../contract/generated/decisions.ts';

/** A named retry schedule. When no pauses are left, the delivery is exhausted. */
export type RetryProfile = Decisions['events.delivery.retry-schedule'] | 'off';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pauses between attempts, in milliseconds. */
const PAUSES: Readonly<Record<RetryProfile, readonly number[]>> = {
  // The pauses add up to about 28 hours.
  standard: [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
  fast: [100, 200, 400, 800, 1600, 3200, 6400],
  // Does not conform to the specification, which requires retries.
  off: [],
};

export const RETRY_PROFILES = Object.keys(PAUSES) as RetryProfile[];

/** The maximum pause for a Retry-After header, in milliseconds. */
const MAX_RETRY_AFTER = HOUR;
/** The maximum random addition, as a fraction of the pause. The addition separates the retries of deliveries that failed together. */
const JITTER = 0.1;

interface FailedAttempts {
  /** The number of attempts so far, including the failed attempt. */
  readonly attempts: number;
  /** The response's Retry-After header: seconds or a date (RFC 9110, section 10.2.3). */
  readonly retryAfter?: string | undefined;
  /** The kit time of the failure, in milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * Returns the milliseconds until the next attempt, or undefined after the last attempt.
 * @param random returns a number from 0 to 1
 */
export function getNextPause(
  profile: RetryProfile,
  { attempts, retryAfter, now }: FailedAttempts,
  random: () => number,
): number | undefined {
  const pause = PAUSES[profile][attempts - 1];
  if (pause === undefined) return undefined;
  const requested = Math.min(parseRetryAfter(retryAfter, now), MAX_RETRY_AFTER);
  // Jitter and Retry-After never make a pause shorter.
  return Math.round(Math.max(pause, requested) + random() * JITTER * pause);
}

export function countAttempts(profile: RetryProfile): number {
  return PAUSES[profile].length + 1;
}

function parseRetryAfter(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * SECOND;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
