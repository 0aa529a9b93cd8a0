import type { ResponseCause } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import type { Executor } from '../store/engine.ts';

/** One request and its response, without secrets. */
export type JournalEntry = components['schemas']['JournalEntry'];

export interface RecordedRequest {
  readonly traceId: string;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly operationId: string | undefined;
  /** Undefined if the connection ended without a response. */
  readonly status: number | undefined;
  readonly cause?: ResponseCause | undefined;
  /** The client id, the principal id and the access token's fingerprint. */
  readonly credentials: readonly (string | undefined)[];
  buildEntry(number: number): JournalEntry;
  /** Builds the entry without bodies, headers and OAuth facts. */
  buildSummary(number: number): JournalEntry;
  /** Frees the bodies' memory. Call this when the entry is no longer needed. */
  release(): void;
}

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
  /** Only entries with a greater number match. */
  readonly since?: number | undefined;
  readonly before?: number | undefined;
}

export interface ListOptions extends JournalFilter {
  readonly limit?: number | undefined;
  /** A `summary` has no headers, bodies, OAuth facts or cursor. */
  readonly view?: 'full' | 'summary' | undefined;
}

export const DEFAULT_CAPACITY = 1000;
export const DEFAULT_LIMIT = 100;

export interface NumberedRecord {
  readonly number: number;
  readonly recorded: RecordedRequest;
}

export interface EntriesAfter {
  readonly entries: readonly JournalEntry[];
  /** How many of the requested entries were removed from the journal. */
  readonly missed: number;
  /** Whether the page ends with the newest entry, and no open transaction can add another entry. */
  readonly isComplete: boolean;
}

export interface FoundEntry {
  readonly entry: JournalEntry;
  readonly cause: ResponseCause | undefined;
  /** Older entries with the same trace id, newest first. */
  readonly others: readonly JournalEntry[];
}

/** The latest requests, in the order in which their responses were sent. On PostgreSQL, all replicas share one journal. */
export interface Journal {
  /** The journal's id. Entry numbers alone are ambiguous, because every journal starts at 1. */
  readonly run: string;
  readonly salt?: string;
  /** Never throws, and never delays a response. */
  add(recorded: RecordedRequest): void;
  /**
   * Adds an entry in the request's transaction. The in-memory journal does not implement this.
   * @returns a function to call when the transaction has ended
   */
  readonly addInTransaction?: (tx: Executor, recorded: RecordedRequest) => Promise<(committed: boolean) => void>;
  /** Returns the newest entry's number; 0 before the first entry. During a database outage, returns the last known number. */
  readNewestNumber(): Promise<number>;
  /** On PostgreSQL, waits briefly for an entry, because another replica may still be storing it. */
  find(traceId: string): Promise<FoundEntry | undefined>;
  /** Lists matching entries, newest first. */
  list(options?: ListOptions): Promise<JournalEntry[]>;
  /** Lists at most `limit` entries after `number`, oldest first. */
  listAfter(number: number, limit: number): Promise<EntriesAfter>;
  /** Removes all entries. Later entries continue the numbering. */
  clear(): Promise<void>;
  /**
   * Waits for a match. Returns the first match after `since` or, without `since`, the newest.
   * @param timeoutMs milliseconds of wall time
   * @returns undefined after the timeout or `close`
   */
  waitForEntry(filter: JournalFilter, timeoutMs: number): Promise<JournalEntry | undefined>;
  /** Calls the listener after every new entry. The listener must not throw. */
  subscribe(listener: () => void): () => void;
  /** Ends all `waitForEntry` calls, so that a kit can close without delay. */
  close(): void;
  /** Never rejects. */
  stop(): Promise<void>;
}

export const toSummary = ({ number, recorded }: NumberedRecord): JournalEntry => recorded.buildSummary(number);
export const toEntry = ({ number, recorded }: NumberedRecord): JournalEntry => recorded.buildEntry(number);

export function createMatcher({
  operation,
  method,
  path,
  status,
  credential,
  rule,
  since = 0,
  before = Infinity,
}: JournalFilter): (kept: NumberedRecord) => boolean {
  const statusOrClass = String(status).toLowerCase();
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
    (pattern === undefined || pattern.test(recorded.path.split('?', 1)[0] as string));
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
