import type { Decisions } from './contract/generated/decisions.ts';
import type { Observation } from './http/observation.ts';
import type { Store } from './store/store.ts';

/** A running kit. */
export interface Kit {
  /** Where the service answers, without a slash at the end. */
  readonly url: string;
  /** Where its authorization server is: what the specification calls {auth_url}. */
  readonly authUrl: string;
  readonly port: number;
  readonly store: Store;
  /** False where the store already held a world: then that one is served, and the one of the settings only after a reset. */
  readonly fresh: boolean;
  /** The name of the world that is loaded. */
  world(): string;
  readonly clock: KitClock;
  readonly decisions: Readonly<Decisions>;
  /** The ready-made access tokens of the world, by name. */
  tokens(): Promise<Readonly<Record<string, string>>>;
  /** Lets answers under way finish, then closes the store. */
  close(): Promise<void>;
}

/** Kit time, which everything follows that the service promises about time. */
export interface KitClock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** How far it is ahead of wall time, in milliseconds. */
  readonly offset: number;
  /** Moves it forward, for all kits on the same database. @param by milliseconds, or a duration such as `1h30m`. */
  advance(by: number | string): Promise<void>;
}

/** What a kit does for tests beyond its settings. */
export interface KitHooks {
  readonly observe?: (observation: Observation) => void;
}
