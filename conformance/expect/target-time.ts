import type { Need } from '../target/need.ts';
import { must } from './broken.ts';

/** Clocks differ; but not by what a time zone makes of an hour, nor by a thousand times. */
const SKEW_MS = 10 * 60_000;

/**
 * Reads a clock of the target.
 *
 * @returns A function that checks that a time, in milliseconds since 1970, is between this call and its own. @throws RuleBroken
 */
export async function sinceNow(need: Need, clock: 'events.now' | 'events.sent-now'): Promise<(ms: number, what: string) => Promise<void>> {
  const now = await need(clock);
  const begun = await now();
  return async (ms, what) => {
    const ended = await now();
    const shown = `${what}, which is between ${shownTime(begun)} and ${shownTime(ended)}, not ${shownTime(ms)}`;
    must(ms >= begun - SKEW_MS && ms <= ended + SKEW_MS, shown);
  };
}

function shownTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${ms}` : date.toISOString();
}
