import type { Decisions } from '../../src/contract/generated/decisions.ts';

type WindowKind = Decisions['limits.assignability.window'];

/**
 * Four bursts of requests. With a limit of 100 per second, each kind of rate limiter accepts different numbers of them:
 * - A sliding window accepts 60 requests of the fourth burst, because the 60 requests of the first burst are then more than a second old.
 * - A token bucket with 100 tokens accepts some requests of every burst.
 * - A token bucket with 10 tokens accepts only a few requests of every burst.
 * - A fixed window accepts 100 more requests when a new calendar second begins.
 *
 * A burst starts `at` milliseconds after the first burst, and takes at most `within` milliseconds.
 */
export const BURSTS = [
  { at: 0, count: 60, within: 250 },
  { at: 500, count: 110, within: 200 },
  { at: 800, count: 60, within: 190 },
  { at: 1280, count: 110, within: 200 },
] as const;

/** @param passed each burst's number of accepted requests @returns undefined if no kind of window explains these numbers */
export function classifyWindow([first = 0, second = 0, third = 0, fourth = 0]: readonly number[]): WindowKind | undefined {
  if ([first, second, third, fourth].every((passed) => passed >= 8 && passed <= 35)) return 'small-bucket';
  // With a limit of 100 requests per second, no kind of window accepts 300 requests in 1.5 seconds.
  if (first !== 60 || first + second + third + fourth >= 300) return undefined;
  if (isApproximately(second, 40) && isApproximately(third, 0) && isApproximately(fourth, 60)) return 'sliding';
  if (second >= 80 && third >= 8 && fourth >= 20) return 'bucket';
  return second >= 95 || second + third + fourth >= 135 ? 'fixed' : undefined;
}

/** Allows a difference of 5 requests, because several gateways that share a limit may synchronize their request counts late. */
function isApproximately(passed: number, expected: number): boolean {
  return Math.abs(passed - expected) <= 5;
}
