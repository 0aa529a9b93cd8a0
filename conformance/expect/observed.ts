import { test } from '@playwright/test';
import type { DecisionId, Decisions } from '../../src/contract/generated/decisions.ts';
import { decisions } from '../../src/contract/generated/decisions-table.ts';
import type { Answer } from '../target/exchange.ts';

/** The title of a check that only observes a decision. The check belongs to no rule, so a target cannot fail it. */
export function questionOf(decision: DecisionId): string {
  return decisions[decision].question;
}

/**
 * Reports which alternative of a decision the target chose.
 * @param value undefined if the target behaves like none of the known alternatives; then nothing is reported
 */
export function observe<Id extends DecisionId>(decision: Id, value: Decisions[Id] | undefined): void {
  if (value === undefined) return;
  test.info().annotations.push({ type: 'observed', description: JSON.stringify({ decision, value }) });
}

/**
 * Reports the status of a response as the target's choice. If the status is not an alternative of the decision, the conformance report
 * marks it.
 */
export function observeStatus(decision: DecisionId, { status }: Answer): void {
  observe(decision, status as Decisions[DecisionId]);
}
