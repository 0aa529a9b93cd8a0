import type { Answer } from '../target/exchange.ts';

/** What came back of many requests, and how long it took from the first being sent to the last being answered. */
export interface Burst {
  readonly answers: readonly Answer[];
  readonly durationMs: number;
}

/** More at once gains nothing, and a target might take it amiss. */
const AT_ONCE = 24;
/** A target that takes so long is too slow for what a burst is to show: the rest is not sent. */
const PATIENCE_MS = 5000;

/**
 * Sends so many requests, or fewer if that takes too long, as fast as they are answered.
 * @param send is told which it is, from 0. @param atOnce how many wait for an answer at any time. @param enough an answer after which none is sent.
 */
export async function burst(
  count: number,
  send: (index: number) => Promise<Answer>,
  { atOnce = AT_ONCE, enough = () => false }: { readonly atOnce?: number; readonly enough?: (answer: Answer) => boolean } = {},
): Promise<Burst> {
  const answers: Answer[] = [];
  let next = 0;
  const startedAt = performance.now();
  let isEnough = false;
  const lane = async () => {
    while (next < count && !isEnough && performance.now() - startedAt < PATIENCE_MS) {
      const answer = await send(next++);
      answers.push(answer);
      isEnough ||= enough(answer);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane));
  return { answers, durationMs: performance.now() - startedAt };
}

/** How many were refused for coming too often. */
export function limited({ answers }: Burst): number {
  return answers.filter(({ status }) => status === 429).length;
}
