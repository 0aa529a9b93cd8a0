import type { Answer } from './exchange.ts';
import { isSuccess } from './make-connection.ts';

/**
 * What a check needs beside its rule. @param step what was asked for: "to delete a connection".
 * @throws Error unless it was answered with success: that says nothing about the rule at hand.
 */
export function needed(step: string, answer: Answer): Answer {
  if (isSuccess(answer)) return answer;
  throw new Error(`the target refused ${step}, which this check needs (${answer.status}): ${answer.text.slice(0, 200)}`);
}
