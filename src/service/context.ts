import type { Clock } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import type { Cursors } from '../domain/cursors.ts';
import type { Store } from '../store/store.ts';
import type { ListedStore } from './listed.ts';

/** The dependencies that every use case gets. */
export interface ServiceContext {
  readonly store: Store;
  /** Returns the database that contains the listed assignments and connections. */
  readonly listed: ListedStore['listed'];
  readonly clock: Clock;
  readonly ids: Ids;
  /** The value of each decision. A decision fills a gap in the specification. */
  readonly decisions: Decisions;
  readonly cursors: Cursors;
}
