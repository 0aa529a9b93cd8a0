import type { OperationId } from '../contract/generated/operations.ts';

/** How far a request of the service came: the steps of the pipeline in order, then what the use case and the answer add. */
export type StepName = 'fault' | 'authenticate' | 'scope' | 'rate' | 'query' | 'body' | 'handle' | 'done';

/** What a request of the service came to: told to whoever observes (journal, log, tests). Nothing of what the client sent is in it. */
export interface Observation {
  readonly traceId: string;
  readonly operationId: OperationId;
  /** The step that refused it, or `done`. */
  readonly step: StepName;
  readonly status: number;
  /** Wall milliseconds from the start of the pipeline to the answer. */
  readonly durationMs: number;
}
