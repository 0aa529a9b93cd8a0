// Part of the public types of the package, so it must not depend on the types of Express.
import type { OperationId } from '../contract/generated/operations.ts';

/** How far a request of the service came: the steps of the pipeline in order, then the use case (`handle`) and the response (`done`). */
export type StepName = 'fault' | 'authenticate' | 'scope' | 'rate' | 'query' | 'body' | 'handle' | 'done';

/** The result of a request of the service, for the journal, the log and tests. Contains nothing that the client sent. */
export interface Observation {
  readonly traceId: string;
  readonly operationId: OperationId;
  /** The step that refused it, or `done`. */
  readonly step: StepName;
  readonly status: number;
  /** Wall milliseconds from the start of the pipeline to the response. */
  readonly durationMs: number;
}
