import type { Answer } from './answer.ts';

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
