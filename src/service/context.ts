import type { Clock } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import type { Store } from '../store/store.ts';

/** What every use case works with. */
export interface ServiceContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The choices in force on what the specification leaves open. */
  readonly decisions: Decisions;
  /** Signs and reads cursors. */
  readonly cursors: Cursors;
}

/** Opaque positions in lists, bound to the list they were issued for. */
export interface Cursors {
  /** @param list what the position belongs to: the name of the list and all that it is bound to. */
  issue(list: string, position: readonly string[]): string;
  /** The position, or why there is none: the text is not a cursor, or one of another list (then `of` says which). */
  read(cursor: string, list: string): CursorReading;
}

export type CursorReading =
  | { readonly position: readonly string[] }
  | { readonly problem: 'malformed' }
  | { readonly problem: 'other-list'; readonly of: string };
