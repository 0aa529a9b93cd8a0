// The package exports these types, so they must not depend on Express's types.
import type { OperationId } from '../contract/generated/operations.ts';

/** The last step that a request to the service reached: a pipeline step, the use case (`handle`), or the response (`done`). */
export type StepName = 'fault' | 'authenticate' | 'scope' | 'rate' | 'query' | 'body' | 'handle' | 'done';

/** The result of a request to the service, for the journal, the log and tests. It contains no data from the client. */
export interface Observation {
  readonly traceId: string;
  readonly operationId: OperationId;
  /** The step that refused the request, or `done` if none did. */
  readonly step: StepName;
  readonly status: number;
  /** The time from the start of the pipeline to the response, in milliseconds of wall time. */
  readonly durationMs: number;
}
