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
  /** As `performance.now()` tells it. */
  readonly startedAt: number;
  /** The step that is being taken, or that refused. */
  step: StepName;
  /** Known after `authenticate`. */
  token: VerifiedToken | undefined;
  caller: Caller | undefined;
  path: Readonly<Record<string, string>>;
  /** Known after `query` and `body`; checked and in canonical form. */
  query: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>>;
}
