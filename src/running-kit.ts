import type { Decisions } from './contract/generated/decisions.ts';
import type { Observation } from './http/observation.ts';
import type { Store } from './store/store.ts';

/** A running kit. */
export interface Kit {
  /** The address of the service, without a slash at the end. */
  readonly url: string;
  /** The address of the authorization server: {auth_url} in the specification. */
  readonly authUrl: string;
  readonly port: number;
  readonly store: Store;
  /** False if the store already had a world. That world is served; a reset loads the one of the settings. */
  readonly fresh: boolean;
  /** The name of the present world. */
  world(): string;
  readonly clock: KitClock;
  readonly decisions: Readonly<Decisions>;
  /** The ready-made access tokens of the present world, by name. */
  tokens(): Promise<Readonly<Record<string, string>>>;
  /** Waits for requests under way, then closes the store. */
  close(): Promise<void>;
}

/** Kit time: wall time plus an offset. All that the service promises about time follows it. */
export interface KitClock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** How far it is ahead of wall time, in milliseconds. */
  readonly offset: number;
  /** Moves kit time forward, for all kits on the same database. @param by milliseconds, or a duration such as `1h30m` */
  advance(by: number | string): Promise<void>;
}

/** Hooks for tests. */
export interface KitHooks {
  readonly observe?: (observation: Observation) => void;
}
