import type { ResponseCause } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';

/** One request and its response, without secrets. */
export type JournalEntry = components['schemas']['JournalEntry'];

/** A request from which an entry is built when somebody reads it. */
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
  /** Builds the entry without bodies, headers, OAuth facts and cursor. */
  buildSummary(number: number): JournalEntry;
  /** Frees the bodies' memory. Call this when the entry is no longer needed. */
  release?(): void;
}

export interface NumberedRecord {
  readonly number: number;
  readonly recorded: RecordedRequest;
}
