import type { RequestSender } from '../../contract/evidence.ts';
import type { FieldError, ResponseCause } from '../../contract/failure.ts';
import { type OperationId, operations } from '../../contract/generated/operations.ts';
import type { JournalEntry } from '../../journal/entry.ts';

export type Values = Readonly<Record<string, unknown>>;

export interface SentRequest {
  readonly entry: JournalEntry;
  /** Undefined if the request matched no operation. */
  readonly operationId: OperationId | undefined;
  /** The last part of the problem's `type`, such as a rule's id. */
  readonly problemId: string | undefined;
  readonly errors: readonly FieldError[];
  readonly sender: RequestSender | undefined;
  readonly pathValues: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Undefined if the body is not a JSON object, or is not in the journal. */
  readonly members: Values | undefined;
  /** Whether the Content-Type header is application/json. */
  readonly isJson: boolean;
}

export function parseSentRequest(entry: JournalEntry, cause: ResponseCause | undefined): SentRequest {
  const { request, problem } = entry;
  const operationId = Object.hasOwn(operations, entry.operationId ?? '') ? (entry.operationId as OperationId) : undefined;
  const [path = '', search] = entry.path.split('?', 2);
  const body = request?.body;
  const { errors } = Object(entry.response?.body) as { readonly errors?: unknown };
  // A real service's errors may have other members.
  const isError = (error: unknown): error is FieldError => typeof (Object(error) as { pointer?: unknown }).pointer === 'string';
  return {
    entry,
    operationId,
    // The body of an injected response can name any problem type, so the cause in the journal takes precedence.
    problemId: cause?.failure?.reason ?? problem?.type?.replace(/^\/problems\//, ''),
    errors: cause?.failure?.errors ?? (Array.isArray(errors) ? errors.filter(isError) : []),
    sender: cause?.asker,
    pathValues: operationId ? parsePathValues(operationId, path) : {},
    query: new URLSearchParams(search),
    members: typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Values) : undefined,
    isJson: /^application\/json\s*(?:;|$)/i.test(request?.headers['content-type'] ?? ''),
  };
}

/** An operation has at most one path parameter. */
function parsePathValues(operationId: OperationId, path: string): SentRequest['pathValues'] {
  const [name] = operations[operationId].pathParameters as readonly string[];
  if (name === undefined) return {};
  const [form] = operations[operationId].paths.filter((one) => one.split('/').length === path.split('/').length);
  const index = form?.split('/').indexOf(`{${name}}`) ?? -1;
  return { [name]: decodeSegment(path.split('/')[index] ?? '') };
}

export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export const listParameterValues = ({
  pathValues,
  query,
}: Pick<SentRequest, 'pathValues' | 'query'>): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(query),
  ...pathValues,
});

export const listValues = ({ members, ...sent }: SentRequest): Values => ({
  ...Object.fromEntries(sent.query),
  ...members,
  ...sent.pathValues,
});
