import type { Asker, Evidence } from './evidence.ts';
import type { DecisionId } from './generated/decisions.ts';
import { type GateId, gates } from './generated/gates.ts';

/** A member of a request that is at fault: where (a JSON pointer into the body, or `?name` for a query parameter), and what would be right. */
export interface FieldError {
  readonly pointer: string;
  readonly message: string;
}

/** Why a request is refused. Every refusal is one of these, until `http/problem.ts` makes it a problem document. */
export interface Failure<Reason extends string = string, Status extends number | undefined = number | undefined> {
  /** The id of a documented rule, a decision or a gate: the last part of the problem's `type`. */
  readonly reason: Reason;
  /** Set for a rule, and for a gate whose status varies. Otherwise the decision in force or the gate has the status. */
  readonly status: Status;
  readonly detail: string;
  readonly errors?: readonly FieldError[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The state that the refusal is based on. It is kept for explanations and never sent. */
  readonly evidence?: Evidence | undefined;
}

export type GateFailure = Failure<GateId, undefined>;

/** A request that a documented rule refuses. */
export function refuse<const Status extends number, const Rule extends string>(
  status: Status,
  rule: Rule,
  detail: string,
  errors?: readonly FieldError[],
): Failure<Rule, Status> {
  return { reason: rule, status, detail, ...(errors && { errors }) };
}

/** A request refused on a point that the specification leaves open; the decision in force gives the status. */
export function decided<const Decision extends DecisionId>(
  decision: Decision,
  detail: string,
  errors?: readonly FieldError[],
): Failure<Decision, undefined> {
  return { reason: decision, status: undefined, detail, ...(errors && { errors }) };
}

/** A request refused for a reason outside the specification (openapi/gates.yaml). @param detail the gate's text if left out. */
export function gateFailure(gate: GateId, detail?: string, more: Pick<Failure, 'errors' | 'headers'> = {}): GateFailure {
  return { reason: gate, status: undefined, detail: detail ?? gates[gate].text, ...more };
}

/** A refusal of the control API. Pointers of `errors` lead into the body that was sent. */
export function controlFailure(kind: ControlFailureKind, detail: string, errors: readonly FieldError[] = []): GateFailure {
  return gateFailure(`control.${kind}`, detail, errors.length > 0 ? { errors } : {});
}
export type ControlFailureKind = 'invalid' | 'not-found' | 'conflict';

export function isFailure<T extends object>(result: T): result is Extract<T, { reason: string; status: number | undefined }> {
  return 'reason' in result;
}

/** The same failure, or success, with the state that it is based on. */
export function because<const Result extends object>(result: Result, evidence: Evidence): Result & { readonly evidence: Evidence } {
  return { ...result, evidence };
}

/** Thrown instead of returned where a transaction has to be rolled back. */
export class FailureError extends Error {
  override readonly name = 'FailureError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`${failure.reason}: ${failure.detail}`);
    this.failure = failure;
  }
}

/** Why a request got its response, for explanations. Recorded for refusals, faults and empty results only. */
export interface ResponseCause {
  readonly asker: Asker | undefined;
  readonly failure: Failure | undefined;
  readonly evidence: Evidence | undefined;
}
