import type { Asker, Evidence } from './evidence.ts';
import type { DecisionId } from './generated/decisions.ts';
import { type GateId, gates } from './generated/gates.ts';

/** An invalid value in a request. `pointer` is a JSON pointer into the body, or `?name` for a query parameter; `message` says what would be valid. */
export interface FieldError {
  readonly pointer: string;
  readonly message: string;
}

/** Why a request is refused. Every refusal has this type until `http/problem.ts` converts it to a problem document. */
export interface Failure<Reason extends string = string, Status extends number | undefined = number | undefined> {
  /** The id of a documented rule, a decision or a gate. The `type` of the problem ends with it. */
  readonly reason: Reason;
  /** The status, if the reason is a rule or a gate without a fixed status. If it is undefined, the decision in force or the gate sets the status. */
  readonly status: Status;
  readonly detail: string;
  readonly errors?: readonly FieldError[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The state that decided the refusal. It is recorded for explanations and never sent. */
  readonly evidence?: Evidence | undefined;
}

export type GateFailure = Failure<GateId, undefined>;

/** The failure of a request that a documented rule refuses. */
export function refuse<const Status extends number, const Rule extends string>(
  status: Status,
  rule: Rule,
  detail: string,
  errors?: readonly FieldError[],
): Failure<Rule, Status> {
  return { reason: rule, status, detail, ...(errors && { errors }) };
}

/** The failure of a request on a point that the specification leaves open. The decision in force sets the status. */
export function decided<const Decision extends DecisionId>(
  decision: Decision,
  detail: string,
  errors?: readonly FieldError[],
): Failure<Decision, undefined> {
  return { reason: decision, status: undefined, detail, ...(errors && { errors }) };
}

/** The failure of a request for a reason outside the specification (openapi/gates.yaml). @param detail default: the text of the gate */
export function gateFailure(gate: GateId, detail?: string, more: Pick<Failure, 'errors' | 'headers'> = {}): GateFailure {
  return { reason: gate, status: undefined, detail: detail ?? gates[gate].text, ...more };
}

/** A refusal of the control API. The pointers of `errors` are JSON pointers into the request body. */
export function controlFailure(kind: ControlFailureKind, detail: string, errors: readonly FieldError[] = []): GateFailure {
  return gateFailure(`control.${kind}`, detail, errors.length > 0 ? { errors } : {});
}
export type ControlFailureKind = 'invalid' | 'not-found' | 'conflict';

export function isFailure<T extends object>(result: T): result is Extract<T, { reason: string; status: number | undefined }> {
  return 'reason' in result;
}

/** Adds to a failure or a success the state that decided it. */
export function because<const Result extends object>(result: Result, evidence: Evidence): Result & { readonly evidence: Evidence } {
  return { ...result, evidence };
}

/** Contains a failure that is thrown, not returned, so that the transaction is rolled back. */
export class FailureError extends Error {
  override readonly name = 'FailureError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`${failure.reason}: ${failure.detail}`);
    this.failure = failure;
  }
}

/** Why a request got its response, for explanations. It is recorded only for refusals, faults and empty results. */
export interface ResponseCause {
  readonly asker: Asker | undefined;
  readonly failure: Failure | undefined;
  readonly evidence: Evidence | undefined;
}
