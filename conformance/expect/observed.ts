import { test } from '@playwright/test';
import type { DecisionId, Decisions } from '../../src/contract/generated/decisions.ts';
import { decisions } from '../../src/contract/generated/decisions-table.ts';
import type { Answer } from '../target/exchange.ts';

/** The title of a check that only observes a decision. Such a check belongs to no rule, so no target can fail it. */
export function questionOf(decision: DecisionId): string {
  return decisions[decision].question;
}

/** Reports how the target decides what the specification leaves open. @param value undefined: not a known value, so not reported */
export function observe<Id extends DecisionId>(decision: Id, value: Decisions[Id] | undefined): void {
  if (value === undefined) return;
  test.info().annotations.push({ type: 'observed', description: JSON.stringify({ decision, value }) });
}

/** Reports the status of a response as the target's decision. Reports mark a status that is not an alternative of the decision. */
export function observeStatus(decision: DecisionId, { status }: Answer): void {
  observe(decision, status as Decisions[DecisionId]);
}
