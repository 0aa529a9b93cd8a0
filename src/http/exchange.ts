import type { Request, Response } from 'express';
import type { OperationId, operations } from '../contract/generated/operations.ts';
import type { Caller } from '../domain/access.ts';
import type { VerifiedToken } from '../oauth/token-claims.ts';
import type { StepName } from './observation.ts';

export interface Exchange<Op extends OperationId = OperationId> {
  readonly operationId: Op;
  readonly operation: (typeof operations)[Op];
  readonly req: Request;
  readonly res: Response;
  /** The value of `performance.now()` when the pipeline started. */
  readonly startedAt: number;
  /** The current step or, after a refusal, the step that refused. */
  step: StepName;
  token: VerifiedToken | undefined;
  caller: Caller | undefined;
  path: Readonly<Record<string, string>>;
  /** The `query` and `body` steps set these values in canonical form. */
  query: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>>;
}
