import type { Evidence } from './evidence.ts';
import type { Failure } from './failure.ts';
import type { DecisionId, DecisionsOf } from './generated/decisions.ts';
import type { OperationId } from './generated/operations.ts';
import type { RulesOf } from './generated/rules.ts';
import type { operations as Operations } from './generated/service.ts';

export interface Json<T> {
  readonly json: string;
  /** Never set. Tells the compiler the type of the serialized value. */
  readonly holds?: T;
}

export interface Success<Status, Body> {
  readonly status: Status;
  readonly body: Body;
  /** The state that caused the result. Clients do not receive this state. */
  readonly evidence?: Evidence | undefined;
}

type ResponseBody<Response> = Response extends { content: { 'application/json': infer Body } } ? Body | Json<Body> : undefined;
type Responses<Op extends OperationId> = Operations[Op]['responses'];

type Successes<Op extends OperationId> = {
  [Status in keyof Responses<Op>]: Status extends 200 | 201 | 204
    ? Success<Status, ResponseBody<Responses<Op>[Status]>>
    : Status extends '2XX'
      ? Success<SuccessStatus, ResponseBody<Responses<Op>[Status]> | undefined>
      : never;
}[keyof Responses<Op>];

/** The possible statuses of a success response that the specification documents as 2XX. */
type SuccessStatus = 200 | 201 | 202 | 204;

type Refusals<Op extends OperationId> = {
  [Status in keyof RulesOf[Op]]: Status extends number
    ? RulesOf[Op][Status] extends string
      ? Failure<RulesOf[Op][Status], Status>
      : never
    : never;
}[keyof RulesOf[Op]];

/** Every result that an operation's handler can return. */
export type Outcome<Op extends OperationId> = Successes<Op> | Refusals<Op> | Failure<Extract<DecisionsOf[Op], DecisionId>, undefined>;
