import type { NumberedRecord } from './entry.ts';

/** An entry must match every member that is set. */
export interface JournalFilter {
  readonly operation?: string | undefined;
  /** The method in any letter case. */
  readonly method?: string | undefined;
  /** The path without its query. Each `*` matches any text. */
  readonly path?: string | undefined;
  /** A status code, or a class such as `4xx`. */
  readonly status?: number | string | undefined;
  /** A client id, a principal id, or an access token's fingerprint. */
  readonly credential?: string | undefined;
  /** The last part of the problem's `type`, such as a rule's id. */
  readonly rule?: string | undefined;
  /** Text in the method and path, trace id, headers or bodies, in any letter case. */
  readonly text?: string | undefined;
  /** The ids of the entities whose names contain `text`. They count as the text. */
  readonly ids?: readonly string[] | undefined;
  /** Only entries with a greater number match. */
  readonly since?: number | undefined;
  readonly before?: number | undefined;
}

export function createMatcher({
  operation,
  method,
  path,
  status,
  credential,
  rule,
  text,
  ids = [],
  since = 0,
  before = Infinity,
}: JournalFilter): (record: NumberedRecord) => boolean {
  const statusOrClass = String(status).toLowerCase();
  const texts = text === undefined ? undefined : [text.toLowerCase(), ...ids];
  const upperMethod = method?.toUpperCase();
  const pattern = path === undefined ? undefined : toPathPattern(path);
  return ({ number, recorded }) =>
    number > since &&
    number < before &&
    (upperMethod === undefined || recorded.method === upperMethod) &&
    (status === undefined || [String(recorded.status), `${String(recorded.status)[0]}xx`].includes(statusOrClass)) &&
    (operation === undefined || recorded.operationId === operation) &&
    (credential === undefined || recorded.credentials.includes(credential)) &&
    (rule === undefined || getReason({ number, recorded }) === rule) &&
    (texts === undefined || matchesAny(texts, getText({ number, recorded }))) &&
    (pattern === undefined || pattern.test(recorded.path.split('?', 1)[0] as string));
}

const matchesAny = (texts: readonly string[], whole: string): boolean => texts.some((text) => whole.includes(text));

function getText({ number, recorded }: NumberedRecord): string {
  const { method, path, traceId, request, response } = recorded.buildEntry(number);
  const bodies = [request?.body, response?.body].map((body) => (typeof body === 'string' ? body : JSON.stringify(body)));
  const headers = Object.entries(request?.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  const sender = recorded.credentials.slice(1);
  return [`${method} ${path}`, traceId, ...headers, ...bodies, ...sender].join('\n').toLowerCase();
}

function getReason({ number, recorded }: NumberedRecord): string | undefined {
  const { cause, status = 0 } = recorded;
  if (cause?.failure !== undefined) return cause.failure.reason;
  return status < 400 ? undefined : recorded.buildSummary(number).problem?.type?.replace(/^\/problems\//, '');
}

function toPathPattern(path: string): RegExp {
  const parts = path.split(/\*+/).map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
