import type { Answer } from '../target/exchange.ts';

/** A rule that the target broke: what was expected of it, and the exchange that shows it. */
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

/** @throws RuleBroken unless the condition holds. `expected` is a clause: "the list holds what was created". */
export function must(condition: unknown, expected: string, answer?: Answer): asserts condition {
  if (!condition) throw new RuleBroken(`Expected that ${expected}.`, answer);
}

/** For what is no matter of the rule at hand: only what a check says of the target is replaced. */
export function unlessBroken<Result>(instead: (error: RuleBroken) => Result): (error: unknown) => Result {
  return (error) => {
    if (error instanceof RuleBroken) return instead(error);
    throw error;
  };
}
