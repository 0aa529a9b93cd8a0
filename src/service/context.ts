import type { Clock } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import type { Cursors } from '../domain/cursors.ts';
import type { Store } from '../store/store.ts';
import type { LaggingLists } from './lagging-lists.ts';

export interface ServiceContext {
  readonly store: Store;
  /** Returns the database for lists of assignments and connections. */
  readonly getListDatabase: LaggingLists['getListDatabase'];
  readonly clock: Clock;
  readonly ids: Ids;
  /** The decisions about points that the specification leaves open. */
  readonly decisions: Decisions;
  readonly cursors: Cursors;
}
