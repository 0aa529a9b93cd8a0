import type { Evidence, RequestSender } from './evidence.ts';
import type { DecisionId } from './generated/decisions.ts';
import { type GateId, gates } from './generated/gates.ts';

/** An invalid value in a request. `pointer` is a JSON pointer, or `?name` for a query parameter. */
export interface FieldError {
  readonly pointer: string;
  readonly message: string;
}

/** A refused request. */
export interface Failure<Reason extends string = string, Status extends number | undefined = number | undefined> {
  /** The id of a rule, a decision, or an entry in openapi/gates.yaml. */
  readonly reason: Reason;
  /** Undefined if a decision or openapi/gates.yaml sets the status. */
  readonly status: Status;
  readonly detail: string;
  readonly errors?: readonly FieldError[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The state that caused the refusal. Clients do not receive this state. */
  readonly evidence?: Evidence | undefined;
}

export type GateFailure = Failure<GateId, undefined>;

export function refuse<const Status extends number, const Rule extends string>(
  status: Status,
  rule: Rule,
  detail: string,
  errors?: readonly FieldError[],
): Failure<Rule, Status> {
  return { reason: rule, status, detail, ...(errors && { errors }) };
}

export function refuseByDecision<const Decision extends DecisionId>(
  decision: Decision,
  detail: string,
  errors?: readonly FieldError[],
): Failure<Decision, undefined> {
  return { reason: decision, status: undefined, detail, ...(errors && { errors }) };
}

/** Creates a refusal that is defined in openapi/gates.yaml, not in the specification. @param detail by default, the text in gates.yaml */
export function createGateFailure(gate: GateId, detail?: string, more: Pick<Failure, 'errors' | 'headers'> = {}): GateFailure {
  return { reason: gate, status: undefined, detail: detail ?? gates[gate].text, ...more };
}

export function createControlFailure(kind: ControlFailureKind, detail: string, errors: readonly FieldError[] = []): GateFailure {
  return createGateFailure(`control.${kind}`, detail, errors.length > 0 ? { errors } : {});
}
export type ControlFailureKind = 'invalid' | 'not-found' | 'conflict' | 'too-many-worlds';

export function isFailure<T extends object>(result: T): result is Extract<T, { reason: string; status: number | undefined }> {
  return 'reason' in result;
}

export function addEvidence<const Result extends object>(result: Result, evidence: Evidence): Result & { readonly evidence: Evidence } {
  return { ...result, evidence };
}

/** Throwing it rolls back the transaction. */
export class FailureError extends Error {
  override readonly name = 'FailureError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`${failure.reason}: ${failure.detail}`);
    this.failure = failure;
  }
}

/** Why a response was sent. Recorded only for refusals, faults and empty results. */
export interface ResponseCause {
  readonly asker: RequestSender | undefined;
  readonly failure: Failure | undefined;
  readonly evidence: Evidence | undefined;
}
