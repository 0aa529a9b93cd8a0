import type { OutgoingHttpHeaders } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Evidence } from '../contract/evidence.ts';
import type { DecisionId, Decisions } from '../contract/generated/decisions.ts';
import type { DecidedRefusal, FieldError, Refusal as RuleRefusal } from '../contract/outcome.ts';
import { type GateProblemId, gateProblem } from './gate-problems.ts';
import type { Problem } from './problem-response.ts';

/** A gate's no for one of its own reasons, outside the specification. */
export interface GateRefusal {
  readonly gate: GateProblemId;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: OutgoingHttpHeaders;
  readonly evidence?: Evidence;
}

/** Why a request is not served: a documented rule, an open point, or a gate's own reason. */
export type AnyRefusal = (RuleRefusal | DecidedRefusal | GateRefusal) & { readonly headers?: OutgoingHttpHeaders };

/** The refusal as a problem: the rule or open point is its type, the status its own or that of the decision in force. */
export function problemOf(refusal: AnyRefusal, decisions: Decisions): Problem {
  if ('gate' in refusal) return { ...gateProblem(refusal.gate, refusal.detail), errors: refusal.errors };
  const { detail, errors } = refusal;
  if ('refused' in refusal) return { id: refusal.rule, status: refusal.refused, title: titleOf(refusal.refused), detail, errors };
  const status = statusOfDecision(refusal.decided, decisions);
  return { id: refusal.decided, status, title: titleOf(status), detail, errors };
}

function titleOf(status: number): string {
  return STATUS_CODES[status] ?? 'Refused';
}

function statusOfDecision(id: DecisionId, decisions: Decisions): number {
  const status = decisions[id];
  if (typeof status !== 'number') throw new Error(`the decision ${id} is ${status}, which is no status to refuse with`);
  return status;
}
