// These types are exported by the package, so they must not depend on the types of Express.
import type { OperationId } from '../contract/generated/operations.ts';

/** The last step that a request of the service reached: a step of the pipeline, the use case (`handle`) or the response (`done`). */
export type StepName = 'fault' | 'authenticate' | 'scope' | 'rate' | 'query' | 'body' | 'handle' | 'done';

/** The result of a request of the service, for the journal, the log and tests. Contains nothing that the client sent. */
export interface Observation {
  readonly traceId: string;
  readonly operationId: OperationId;
  /** The step that refused the request, or `done` if none did. */
  readonly step: StepName;
  readonly status: number;
  /** Wall milliseconds from the start of the pipeline to the response. */
  readonly durationMs: number;
}
