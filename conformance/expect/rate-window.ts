import type { Decisions } from '../../src/contract/generated/decisions.ts';

type Window = Decisions['limits.assignability.window'];

/**
 * The four moments at which checks are sent to find out how a limit of 100 per second is measured. In a sliding window, the checks of the
 * second moment still count at the fourth, and those of the first do not. A bucket lets some checks pass at each moment. With calendar
 * seconds, a new second begins between two of the moments. A small bucket lets only a few checks pass at each moment. `at`: milliseconds after the first moment; `within`: how many milliseconds the
 * checks may take.
 */
export const MOMENTS = [
  { at: 0, count: 60, within: 250 },
  { at: 500, count: 110, within: 200 },
  { at: 800, count: 60, within: 190 },
  { at: 1280, count: 110, within: 200 },
] as const;

/** @param passed how many checks passed at each moment @returns undefined if no kind of window explains these numbers */
export function windowOf([first = 0, second = 0, third = 0, fourth = 0]: readonly number[]): Window | undefined {
  // At each moment, a bucket of 10 lets 10 checks pass, and more while it refills.
  if ([first, second, third, fourth].every((passed) => passed >= 8 && passed <= 35)) return 'small-bucket';
  // No window with a limit of 100 lets 300 checks pass in one and a half seconds.
  if (first !== 60 || first + second + third + fourth >= 300) return undefined;
  if (isAbout(second, 40) && isAbout(third, 0) && isAbout(fourth, 60)) return 'sliding';
  if (second >= 80 && third >= 8 && fourth >= 20) return 'bucket';
  // A new calendar second lets 100 more checks pass, and it may begin while the checks of one moment are being sent.
  return second >= 95 || second + third + fourth >= 135 ? 'fixed' : undefined;
}

/** The difference may be 5, because gateways that share a limit count each other's requests with a short delay. */
function isAbout(passed: number, expected: number): boolean {
  return Math.abs(passed - expected) <= 5;
}
