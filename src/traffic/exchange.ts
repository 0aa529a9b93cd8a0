import type { Exchange as Observed } from '../checks/service/exchange.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';

/** One request to the service and its answer. */
export interface Exchange {
  readonly operation: OperationId;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The JSON of the request's body. */
  readonly body?: unknown;
  readonly status: number;
  /** The JSON of the response's body. Undefined if there is none, or if not all of it was kept. */
  readonly answer?: unknown;
  /** Tells callers apart. Undefined: the request had no access token. */
  readonly token?: string | undefined;
}

/** Reads an exchange in a journal or a file. */
export function readExchange({ operation, id, query, call, answer, isWhole, token }: Observed): Exchange {
  const [parameter] = operations[operation].pathParameters;
  const { clientId, principalId } = call.credential ?? {};
  return {
    operation,
    path: parameter === undefined || id === undefined ? {} : { [parameter]: id },
    query: Object.fromEntries(query),
    body: call.request?.body,
    status: answer.status,
    ...(isWhole && { answer: answer.json }),
    // A client gets new tokens again and again.
    token: clientId === undefined ? token : `${clientId} ${principalId}`,
  };
}
