import type { Decisions } from '../contract/generated/decisions.ts';

/** When a delivery is repeated: the pauses in milliseconds after each attempt that was not acknowledged. None left: it is not repeated any more. */
export type RetryProfile = Decisions['events.delivery.retry-schedule'] | 'off';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const PAUSES: Readonly<Record<RetryProfile, readonly number[]>> = {
  // About a day and a half, as Standard Webhooks recommends it.
  standard: [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
  fast: [100, 200, 400, 800, 1600, 3200, 6400],
  // For local comfort only: the document demands repeats.
  off: [],
};

export const RETRY_PROFILES = Object.keys(PAUSES) as RetryProfile[];

/** Whatever an endpoint asks for, it is asked again within so long. */
const LONGEST_RETRY_AFTER = HOUR;
/** As much of a pause may be added to it: what failed together need not come back together. */
const JITTER = 0.1;

export interface Failed {
  /** How many attempts there were, this one included. */
  readonly attempts: number;
  /** The header of the answer, if it had one: seconds, or a date (RFC 9110, section 10.2.3). */
  readonly retryAfter?: string | undefined;
  /** Kit time of the failure, in milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Milliseconds until the next attempt; undefined where there is none. @param random from 0 to 1 */
export function nextPause(profile: RetryProfile, { attempts, retryAfter, now }: Failed, random: () => number): number | undefined {
  const pause = PAUSES[profile][attempts - 1];
  if (pause === undefined) return undefined;
  const asked = Math.min(secondsToMs(retryAfter, now), LONGEST_RETRY_AFTER);
  // Never earlier: jitter and Retry-After only add.
  return Math.round(Math.max(pause, asked) + random() * JITTER * pause);
}

/** How many attempts a profile makes at most. */
export function attemptsOf(profile: RetryProfile): number {
  return PAUSES[profile].length + 1;
}

function secondsToMs(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * SECOND;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
