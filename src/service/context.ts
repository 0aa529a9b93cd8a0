import type { Clock } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import type { Actor } from '../domain/access.ts';
import type { Cursors } from '../domain/cursors.ts';
import type { Executor } from '../store/engine.ts';
import type { Store } from '../store/store.ts';
import type { LaggingLists } from './lagging-lists.ts';

export interface ServiceContext {
  readonly store: Store;
  readonly getListDatabase: LaggingLists['getListDatabase'];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly decisions: Decisions;
  readonly cursors: Cursors;
}

/** A change by an actor in one transaction. */
export interface WriteScope {
  readonly tx: Executor;
  readonly context: ServiceContext;
  readonly actor: Actor;
}
