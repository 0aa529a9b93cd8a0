import type { Request, Response } from 'express';
import type { Failure } from '../contract/failure.ts';
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
  /** The version of the world with which a read is decided while it is not yet known whether another replica has changed the world. */
  assumedVersion: string | undefined;
  /** With an assumed version: the result of a limit's check, which does not delay the decision. */
  pendingLimit: Promise<Failure | 'outdated' | undefined> | undefined;
  token: VerifiedToken | undefined;
  caller: Caller | undefined;
  path: Readonly<Record<string, string>>;
  /** The `query` and `body` steps set these values in canonical form. */
  query: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>>;
}
