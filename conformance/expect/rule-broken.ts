import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../target/exchange.ts';

/** Thrown when the target breaks a rule. The message contains what was expected and the response, if there is one. */
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

/** @param expected continues the sentence "Expected that …" @throws RuleBroken if the condition is false */
export function must(condition: unknown, expected: string, answer?: Answer): asserts condition {
  if (!condition) throw new RuleBroken(`Expected that ${expected}.`, answer);
}

/** Makes a handler for `catch` that handles a broken rule and throws every other error again. */
export function onRuleBroken<Result>(handle: (error: RuleBroken) => Result): (error: unknown) => Result {
  return (error) => {
    if (error instanceof RuleBroken) return handle(error);
    throw error;
  };
}

const INTERVAL_MS = 50;

/** Repeats `check` until it passes, for `ms` milliseconds at most; with 0 it runs once. @throws RuleBroken from the last run */
export async function eventually<T>(ms: number, check: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof RuleBroken) || performance.now() + INTERVAL_MS > deadline) throw error;
      await pause(INTERVAL_MS);
    }
  }
}
