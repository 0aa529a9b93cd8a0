import type { Request, Response } from 'express';
import type { OperationId, operations } from '../contract/generated/operations.ts';
import type { Caller } from '../domain/access.ts';
import type { VerifiedToken } from '../oauth/token-claims.ts';
import type { StepName } from './observation.ts';

/** One request of an operation on its way through the pipeline. */
export interface Exchange<Op extends OperationId = OperationId> {
  readonly operationId: Op;
  readonly operation: (typeof operations)[Op];
  readonly req: Request;
  readonly res: Response;
  /** From `performance.now()`. */
  readonly startedAt: number;
  /** The current step, or the one that refused the request. */
  step: StepName;
  /** Set by `authenticate`. */
  token: VerifiedToken | undefined;
  caller: Caller | undefined;
  path: Readonly<Record<string, string>>;
  /** Set by `query` and `body`; validated and in canonical form. */
  query: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>>;
}
