import { test } from '@playwright/test';
import type { DecisionId, Decisions } from '../../src/contract/generated/decisions.ts';
import { decisions } from '../../src/contract/generated/decisions-table.ts';
import type { Answer } from '../target/exchange.ts';

/** The title of a check that observes a decision. It names no rule, and no target fails it. */
export function questionOf(decision: DecisionId): string {
  return decisions[decision].question;
}

/** Reports how the target decides what the specification leaves open. @param value undefined: not one of the decision's values; nothing is reported */
export function observe<Id extends DecisionId>(decision: Id, value: Decisions[Id] | undefined): void {
  if (value === undefined) return;
  test.info().annotations.push({ type: 'observed', description: JSON.stringify({ decision, value }) });
}

/** Reports the status of a response if it is one of the decision's values. */
export function observeStatus(decision: DecisionId, { status }: Answer): void {
  const { default: standard, alternatives = [] } = decisions[decision];
  if ([standard, ...alternatives].includes(status)) observe(decision, status as Decisions[DecisionId]);
}
