// The package exports these types, so they must not depend on Express's types.
import type { OperationId } from '../contract/generated/operations.ts';

/** The last step that a request reached: a pipeline step, the use case or the response; `forward` if a proxy's target responded. */
export type StepName = 'fault' | 'authenticate' | 'scope' | 'rate' | 'query' | 'body' | 'handle' | 'done' | 'forward';

/** The result of a request, without data from the client. */
export interface Observation {
  readonly traceId: string;
  readonly operationId: OperationId;
  readonly step: StepName;
  readonly status: number;
  /** In milliseconds of wall time. */
  readonly durationMs: number;
}
