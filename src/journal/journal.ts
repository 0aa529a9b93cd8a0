import type { ResponseCause } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import type { Executor } from '../store/engine.ts';

/** One request and its response, without secrets. */
export type JournalEntry = components['schemas']['JournalEntry'];

/**
 * A recorded request. The journal filters requests by the members of this interface. When an entry is read, the journal calls `entry` to
 * build the whole entry.
 */
export interface Recorded {
  readonly traceId: string;
  readonly method: string;
  /** The path, including the query. */
  readonly path: string;
  readonly operationId: string | undefined;
  /** Undefined if the connection ended without a response. */
  readonly status: number | undefined;
  readonly cause?: ResponseCause | undefined;
  /** The ids of the client and the principal, and the fingerprint of the access token. */
  readonly credentials: readonly (string | undefined)[];
  /** Builds the entry. @param number the number of the entry in the journal */
  entry(number: number): JournalEntry;
  /** Builds the members of the entry that need no body, no headers and no facts of OAuth. */
  summary(number: number): JournalEntry;
  /** Lets a later request use the memory of this one. The journal calls this when it has removed the entry. */
  release(): void;
}

/** A filter for entries. An entry matches if it matches every member that is set in the filter. */
export interface JournalFilter {
  readonly operation?: string | undefined;
  /** The method, in any letter case. */
  readonly method?: string | undefined;
  /** The path, without the query. Each `*` matches any text. */
  readonly path?: string | undefined;
  /** A status, or a class such as `4xx`. */
  readonly status?: number | string | undefined;
  /** The id of a client or a principal, or the fingerprint of an access token. */
  readonly credential?: string | undefined;
  /** The id of a rule, decision or gate in the type of the problem. */
  readonly rule?: string | undefined;
  /** Only entries with a greater number than `since` match. */
  readonly since?: number | undefined;
  /** Only entries with a smaller number than `before` match. */
  readonly before?: number | undefined;
}

export interface ListOptions extends JournalFilter {
  readonly limit?: number | undefined;
  /** With `summary`, the entries have no headers, no bodies, no facts of OAuth and no cursor. */
  readonly view?: 'full' | 'summary' | undefined;
}

/** The number of entries that a journal keeps. */
export const CAPACITY = 1000;
/** The number of entries in a list without a limit. */
export const DEFAULT_LIMIT = 100;

/** A recorded request with its number. */
export interface NumberedRecord {
  readonly number: number;
  readonly recorded: Recorded;
}

/** Entries after a number, the oldest first. */
export interface Following {
  readonly entries: readonly JournalEntry[];
  /** The number of removed entries before these entries. */
  readonly missed: number;
  /** False if the journal has more entries. Some can be read only after the end of an open transaction. */
  readonly isComplete: boolean;
}

/** The newest entry with a trace id, the cause of its response, and the older entries with the same trace id, in descending order. */
export interface Found {
  readonly entry: JournalEntry;
  readonly cause: ResponseCause | undefined;
  readonly others: readonly JournalEntry[];
}

/** The latest requests to a kit, in the order in which the responses were sent. On PostgreSQL, all replicas share the journal. */
export interface Journal {
  /** Identifies this journal. Every journal numbers its entries from 1, so a number alone does not identify an entry. */
  readonly run: string;
  /** The salt of the fingerprints in the entries. */
  readonly salt?: string;
  /** Adds an entry. Never throws, and never delays a response. */
  add(recorded: Recorded): void;
  /**
   * Adds an entry in the transaction of the change that the request made, so that the journal has the entry of every change. Undefined if
   * the journal is in memory.
   * @returns a function that the caller calls after the transaction, with whether the transaction was committed
   */
  readonly addIn?: (tx: Executor, recorded: Recorded) => Promise<(committed: boolean) => void>;
  /**
   * Returns the number of the newest entry, even if that entry was removed. The number is 0 before the first entry. If the database is
   * unavailable, returns the last number that was read.
   */
  newest(): Promise<number>;
  /** Finds the entries with a trace id. On PostgreSQL, waits a moment for the entry, because another replica may be about to add it. */
  find(traceId: string): Promise<Found | undefined>;
  /** Lists at most `limit` entries that match the filter, the newest first. */
  list(options?: ListOptions): Promise<JournalEntry[]>;
  /** Lists at most `limit` entries with a greater number than `number`. */
  following(number: number, limit: number): Promise<Following>;
  /** Removes all entries. Numbering continues after the removed entries. */
  clear(): Promise<void>;
  /**
   * Waits for an entry that matches the filter, so that tests need not sleep. With `since`, returns the first match after that entry
   * number. Without `since`, returns the newest existing match, because the request may have ended before the call of `wait`. If no entry
   * matches yet, waits for the first match.
   * @param timeoutMs milliseconds of wall time
   * @returns undefined if no entry matched before the timeout, or if the journal was closed
   */
  wait(filter: JournalFilter, timeoutMs: number): Promise<JournalEntry | undefined>;
  /** Calls the listener after every new entry. The listener must not throw. @returns a function that removes the listener. */
  subscribe(listener: () => void): () => void;
  /** Ends all calls of `wait`, so that a kit can close without a delay. */
  close(): void;
  /** Stores the entries that wait. Resolves when they are stored, or when they cannot be stored because the database is unavailable. */
  stop(): Promise<void>;
}

export const toSummary = ({ number, recorded }: NumberedRecord): JournalEntry => recorded.summary(number);
export const toEntry = ({ number, recorded }: NumberedRecord): JournalEntry => recorded.entry(number);

/** Returns a function that tests whether an entry matches a filter. */
export function matcher({
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
  const pattern = path === undefined ? undefined : patternOf(path);
  return ({ number, recorded }) =>
    number > since &&
    number < before &&
    (upperMethod === undefined || recorded.method === upperMethod) &&
    (status === undefined || [String(recorded.status), `${String(recorded.status)[0]}xx`].includes(statusOrClass)) &&
    (operation === undefined || recorded.operationId === operation) &&
    (credential === undefined || recorded.credentials.includes(credential)) &&
    (rule === undefined || reasonOf({ number, recorded }) === rule) &&
    (pattern === undefined || pattern.test(recorded.path.split('?', 1)[0] as string));
}

/** Returns the id of the rule, decision or gate that a response names. The body is read only if the recorded cause does not contain it. */
function reasonOf({ number, recorded }: NumberedRecord): string | undefined {
  const { cause, status = 0 } = recorded;
  if (cause?.failure !== undefined) return cause.failure.reason;
  return status < 400 ? undefined : recorded.summary(number).problem?.type?.replace(/^\/problems\//, '');
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\*+/).map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
