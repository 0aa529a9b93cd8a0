import type { Evidence } from './evidence.ts';
import type { DecisionId, DecisionsOf } from './generated/decisions.ts';
import type { OperationId } from './generated/operations.ts';
import type { RulesOf } from './generated/rules.ts';
import type { operations as Operations } from './generated/service.ts';

/** A member of a request that is at fault: where (a JSON pointer into the body, or `?name` of a query parameter) and what would be right. */
export interface FieldError {
  readonly pointer: string;
  readonly message: string;
}

/** A request that a documented rule refuses: with which status, for which rule, and why in this case. */
export interface Refusal<Status extends number = number, Rule extends string = string> {
  readonly refused: Status;
  readonly rule: Rule;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  /** What it was judged on; it is never sent. */
  readonly evidence?: Evidence;
}

/** A request refused on a point that the specification leaves open; the decision in force says the status. */
export interface DecidedRefusal<Decision extends DecisionId = DecisionId> {
  readonly decided: Decision;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly evidence?: Evidence;
}

/** A body that exists as text already, so that it is not parsed and written again on its way out. */
export interface Json<T> {
  readonly json: string;
  /** Only for the compiler: what the text holds. */
  readonly holds?: T;
}

export interface Success<Status, Body> {
  readonly status: Status;
  readonly body: Body;
  /** Why a list is empty, or a target not assignable; it is never sent. */
  readonly evidence?: Evidence | undefined;
}

type BodyOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body | Json<Body> : undefined;
type Responses<Op extends OperationId> = Operations[Op]['responses'];

type Successes<Op extends OperationId> = {
  [Status in keyof Responses<Op>]: Status extends 200 | 201 | 204
    ? Success<Status, BodyOf<Responses<Op>[Status]>>
    : Status extends '2XX'
      ? Success<SuccessStatus, BodyOf<Responses<Op>[Status]> | undefined>
      : never;
}[keyof Responses<Op>];

/** Statuses that a success may have where the specification shows none. */
export type SuccessStatus = 200 | 201 | 202 | 204;

type Refusals<Op extends OperationId> = {
  [Status in keyof RulesOf[Op]]: Status extends number
    ? RulesOf[Op][Status] extends string
      ? Refusal<Status, RulesOf[Op][Status]>
      : never
    : never;
}[keyof RulesOf[Op]];

/** All that a handler of the operation can answer. An undocumented status, or a rule of another status, does not compile. */
export type Outcome<Op extends OperationId> = Successes<Op> | Refusals<Op> | DecidedRefusal<Extract<DecisionsOf[Op], DecisionId>>;

/** A refusal for a documented rule. */
export function refuse<const Status extends number, const Rule extends string>(
  status: Status,
  rule: Rule,
  detail: string,
  errors?: readonly FieldError[],
): Refusal<Status, Rule> {
  return errors ? { refused: status, rule, detail, errors } : { refused: status, rule, detail };
}

/** A refusal whose status a decision gives. */
export function decided<const Decision extends DecisionId>(
  decision: Decision,
  detail: string,
  errors?: readonly FieldError[],
): DecidedRefusal<Decision> {
  return errors ? { decided: decision, detail, errors } : { decided: decision, detail };
}

export function isRefused<T extends object>(result: T): result is Extract<T, { refused: number } | { decided: string }> {
  return 'refused' in result || 'decided' in result;
}
