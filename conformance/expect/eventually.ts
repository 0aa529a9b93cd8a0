import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../target/exchange.ts';
import { RuleBroken } from './broken.ts';

const STEP_MS = 50;

/** Repeats a check until it holds or the bound is over. With a bound of 0 it is made once. @throws RuleBroken of the last time */
export async function eventually<T>(boundMs: number, check: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + boundMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof RuleBroken) || performance.now() + STEP_MS > deadline) throw error;
      await pause(STEP_MS);
    }
  }
}

/** Milliseconds until the effect of a success shows: 202 says that it was accepted, any other 2xx that it is done. */
export function settlingOf(answer: Answer): number {
  return answer.status === 202 ? 3000 : 0;
}
