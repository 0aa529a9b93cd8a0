import type { Asker } from '../../contract/evidence.ts';
import type { FieldError, ResponseCause } from '../../contract/failure.ts';
import { type OperationId, operations } from '../../contract/generated/operations.ts';
import type { JournalEntry } from '../../journal/journal.ts';

export type Values = Readonly<Record<string, unknown>>;

/** A recorded request, taken apart. */
export interface SentRequest {
  readonly entry: JournalEntry;
  /** Of the service; undefined if no operation of the service was reached. */
  readonly operationId: OperationId | undefined;
  /** The rule, decision or gate that the response names. */
  readonly problemId: string | undefined;
  /** The fields at fault. */
  readonly errors: readonly FieldError[];
  readonly asker: Asker | undefined;
  readonly pathValues: Values;
  readonly query: URLSearchParams;
  /** Undefined if the body is not a JSON object, or was not kept. */
  readonly members: Values | undefined;
  readonly isJson: boolean;
}

export function sentRequest(entry: JournalEntry, cause: ResponseCause | undefined): SentRequest {
  const { request, problem } = entry;
  const operationId = Object.hasOwn(operations, entry.operationId ?? '') ? (entry.operationId as OperationId) : undefined;
  const [path = '', search] = entry.path.split('?', 2);
  const body = request?.body;
  const { errors } = (entry.response?.body ?? {}) as { errors?: FieldError[] };
  return {
    entry,
    operationId,
    // An injected response can have any body, so the recorded cause takes precedence.
    problemId: cause?.failure?.reason ?? problem?.type?.replace(/^\/problems\//, ''),
    errors: cause?.failure?.errors ?? errors ?? [],
    asker: cause?.asker,
    pathValues: operationId ? pathValues(operationId, path) : {},
    query: new URLSearchParams(search),
    members: typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Values) : undefined,
    isJson: /^application\/json\s*(?:;|$)/i.test(request?.headers['content-type'] ?? ''),
  };
}

/** No operation has more than one path parameter. */
function pathValues(operationId: OperationId, path: string): Values {
  const [name] = operations[operationId].pathParameters as readonly string[];
  if (name === undefined) return {};
  const [form] = operations[operationId].paths.filter((one) => one.split('/').length === path.split('/').length);
  const index = form?.split('/').indexOf(`{${name}}`) ?? -1;
  return { [name]: decode(path.split('/')[index] ?? '') };
}

/** The segment, decoded if it can be. */
export function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** All values of a request by name. */
export const valuesOf = ({ pathValues, query, members }: SentRequest): Values => ({
  ...Object.fromEntries(query),
  ...members,
  ...pathValues,
});
