import type { Decisions } from '../../src/contract/generated/decisions.ts';

type Window = Decisions['limits.assignability.window'];

/**
 * When to send how many checks, and within how many milliseconds they must be answered, to find out how a limit of 100 per second is measured. With a
 * sliding window the first moment counts no more at the fourth, and the second still does. A bucket lets some checks pass at each moment. With calendar
 * seconds a new one begins between two moments, whenever the first is.
 */
export const MOMENTS = [
  { at: 0, count: 60, within: 250 },
  { at: 500, count: 110, within: 200 },
  { at: 800, count: 60, within: 190 },
  { at: 1280, count: 110, within: 200 },
] as const;

/** @param passed how many checks of each moment were not limited @returns undefined if no kind of window explains it */
export function windowOf([first = 0, second = 0, third = 0, fourth = 0]: readonly number[]): Window | undefined {
  // No window with a limit of 100 lets 300 checks pass in one and a half seconds.
  if (first !== 60 || first + second + third + fourth >= 300) return undefined;
  if (isAbout(second, 40) && isAbout(third, 0) && isAbout(fourth, 60)) return 'sliding';
  if (second >= 80 && third >= 8 && fourth >= 20) return 'bucket';
  // A new calendar second lets 100 more pass. It may begin within a moment.
  return second >= 95 || second + third + fourth >= 135 ? 'fixed' : undefined;
}

/** Gateways that share a limit learn of each other's requests a little late. */
function isAbout(passed: number, expected: number): boolean {
  return Math.abs(passed - expected) <= 5;
}
