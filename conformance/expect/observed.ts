import type { DecisionId, Decisions } from '../../src/contract/generated/decisions.ts';
import { decisions } from '../../src/contract/generated/decisions-table.ts';
import type { Answer } from '../../src/expect/answer.ts';
import { getReport } from '../target/check-report.ts';

export function getDecisionQuestion(decision: DecisionId): string {
  return decisions[decision].question;
}

/** Records which alternative of a decision the target has chosen. */
export function observe<Id extends DecisionId>(decision: Id, value: Decisions[Id] | undefined): void {
  if (value !== undefined) getReport().observed.push({ decision, value });
}

/** Records a response's status as the chosen alternative, even if the decision's alternatives do not include this status. */
export function observeStatus(decision: DecisionId, { status }: Answer): void {
  observe(decision, status as Decisions[DecisionId]);
}
