import { test } from '@playwright/test';
import type { DecisionId, Decisions } from '../../src/contract/generated/decisions.ts';
import { decisions } from '../../src/contract/generated/decisions-table.ts';
import { isSuccess } from '../actors/make-connection.ts';
import type { Answer } from '../target/exchange.ts';
import { notTestable } from '../target/not-testable.ts';

/** The title of a check that only observes: it names no rule, and no target fails for it. */
export function questionOf(decision: DecisionId): string {
  return decisions[decision].question;
}

/**
 * Tells how the target was seen to decide what the specification leaves open. No target fails for it. Only inside a check.
 * @param value undefined where what was seen is none of the decision's values: nothing is told then.
 */
export function observed<Id extends DecisionId>(decision: Id, value: Decisions[Id] | undefined): void {
  if (value === undefined) return;
  test.info().annotations.push({ type: 'observed', description: JSON.stringify({ decision, value }) });
}

/** The same, where the values are statuses, or some of them. */
export function observedStatus(decision: DecisionId, { status }: Answer): void {
  const { default: standard, alternatives = [] } = decisions[decision];
  if ([standard, ...alternatives].includes(status)) observed(decision, status as Decisions[DecisionId]);
}

/** An answer that shows nothing unless it is a success: what is seen after it has the cause that is looked for. */
export function granted(what: string, answer: Answer): Answer {
  return isSuccess(answer) ? answer : notTestable(`${what}, which was answered with ${answer.status}`);
}
