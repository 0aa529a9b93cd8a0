import type { Decisions } from '../../src/contract/generated/decisions.ts';

type Window = Decisions['limits.assignability.window'];

/**
 * Checks that tell apart how a second is measured, whose limit is 100 and not used up at the start: how many are sent when, and within how many
 * milliseconds they have to be answered. What passes of the first comes back to a sliding second before the last are sent, and what passes of the
 * second does not until they have been answered; a bucket lets some pass each time; and of calendar seconds one begins on the way, wherever they begin.
 */
export const MOMENTS = [
  { at: 0, count: 60, within: 250 },
  { at: 500, count: 110, within: 200 },
  { at: 800, count: 60, within: 190 },
  { at: 1280, count: 110, within: 200 },
] as const;

/** @param passed how many of each moment were not limited. Undefined where none of the ways explains it. */
export function windowOf([first = 0, second = 0, third = 0, fourth = 0]: readonly number[]): Window | undefined {
  // However a second is measured, within one and a half of them a limit of 100 lets no more pass.
  if (first !== 60 || first + second + third + fourth >= 300) return undefined;
  if (isAbout(second, 40) && isAbout(third, 0) && isAbout(fourth, 60)) return 'sliding';
  if (second >= 80 && third >= 8 && fourth >= 20) return 'bucket';
  // A second that begins lets 100 pass beyond what was left of the one before; it may begin between two checks of the same moment.
  return second >= 95 || second + third + fourth >= 135 ? 'fixed' : undefined;
}

/** Several gateways that share a limit are a little late to know of one another. */
function isAbout(passed: number, expected: number): boolean {
  return Math.abs(passed - expected) <= 5;
}
