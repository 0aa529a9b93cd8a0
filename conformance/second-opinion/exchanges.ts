import type { OperationId } from '../../src/contract/generated/operations.ts';
import type { Note } from '../sabotage/boundary.ts';
import type { Reply, Request } from '../sabotage/exchange.ts';

/** A request of an operation and an answer that is to be judged. */
export interface Exchange {
  /** What was made wrong in the answer; undefined for one as the service gave it. */
  readonly fault: string | undefined;
  readonly operation: OperationId;
  readonly request: Request;
  readonly reply: Reply;
}

/** One exchange of each kind: of its operation, form, status, and the shape of its answer. */
export function representative(notes: readonly Note[]): Exchange[] {
  const kinds = new Map<string, Exchange>();
  for (const note of notes) {
    if ('delivered' in note) continue;
    const { request, reply } = note;
    const { operation, form } = request;
    if (operation === undefined) continue;
    const kind = [operation, form, reply.status, reply.headers['content-type'] ?? 'no type', shapeOf(bodyOf(reply))].join(' ');
    if (!kinds.has(kind)) kinds.set(kind, { fault: undefined, operation, request, reply });
  }
  return [...kinds.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, exchange]) => exchange);
}

/** The body as JSON; undefined where there is none, or another. */
export function bodyOf({ text }: Reply): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The members and types of a value in one text: equal for values that a schema without values could not tell apart. */
export function shapeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join('|')}]`;
  if (typeof value !== 'object') return typeof value;
  const members = Object.entries(value).map(([name, member]) => `${name}:${shapeOf(member)}`);
  return `{${members.sort().join(',')}}`;
}
