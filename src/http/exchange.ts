import type { Request, Response } from 'express';
import type { OperationId, operations } from '../contract/generated/operations.ts';
import type { Caller } from '../domain/access.ts';
import type { VerifiedToken } from '../oauth/token-claims.ts';
import type { StepName } from './observation.ts';

/** A request of the service and what the steps of the pipeline have found out about it. */
export interface Exchange<Op extends OperationId = OperationId> {
  readonly operationId: Op;
  readonly operation: (typeof operations)[Op];
  readonly req: Request;
  readonly res: Response;
  /** The value of `performance.now()` when the pipeline started. */
  readonly startedAt: number;
  /** The current step, or the step that refused the request. */
  step: StepName;
  /** Set by the step `authenticate`, as is `caller`. */
  token: VerifiedToken | undefined;
  caller: Caller | undefined;
  path: Readonly<Record<string, string>>;
  /** Set by the step `query`, as `body` is by the step `body`: validated and in canonical form. */
  query: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>>;
}
