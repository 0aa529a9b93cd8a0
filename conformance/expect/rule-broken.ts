import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../target/exchange.ts';

export class RuleBroken extends Error {
  override readonly name = 'RuleBroken';
  readonly answer: Answer | undefined;

  constructor(expected: string, answer?: Answer) {
    super(
      answer ? `${expected}\n${answer.method} ${answer.url} was answered with ${answer.status}: ${answer.text.slice(0, 500)}` : expected,
    );
    this.answer = answer;
  }
}

/** @param expected the clause after "Expected that" @throws RuleBroken if the condition is false */
export function must(condition: unknown, expected: string, answer?: Answer): asserts condition {
  if (!condition) throw new RuleBroken(`Expected that ${expected}.`, answer);
}

export function onRuleBroken<Result>(handle: (error: RuleBroken) => Result): (error: unknown) => Result {
  return (error) => {
    if (error instanceof RuleBroken) return handle(error);
    throw error;
  };
}

const RETRY_INTERVAL_MS = 50;

/** @throws RuleBroken from the last run */
export async function retryUntilPassed<T>(ms: number, check: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof RuleBroken) || performance.now() + RETRY_INTERVAL_MS > deadline) throw error;
      await pause(RETRY_INTERVAL_MS);
    }
  }
}
