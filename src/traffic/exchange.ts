import type { OperationId } from '../contract/generated/operations.ts';

/** One request to the service and its answer, however it was observed. */
export interface Exchange {
  readonly operation: OperationId;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The JSON of the request's body. */
  readonly body?: unknown;
  readonly status: number;
  /** The JSON of the response's body. Undefined if there is none, or if it was not kept. */
  readonly answer?: unknown;
  /** Tells access tokens apart. Undefined: the request had none. */
  readonly token?: string | undefined;
}
