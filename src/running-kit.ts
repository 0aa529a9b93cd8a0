import type { Decisions } from './contract/generated/decisions.ts';
import type { Observation } from './http/observation.ts';
import type { Store } from './store/store.ts';

export interface Kit {
  /** The address of the service, without a slash at the end. */
  readonly url: string;
  /** The address of the authorization server, which the specification calls {auth_url}. */
  readonly authUrl: string;
  readonly port: number;
  readonly store: Store;
  /** False if the store already had a world. The kit then serves that world, and a reset loads the world of the settings. */
  readonly fresh: boolean;
  /** The name of the current world. */
  world(): string;
  readonly clock: KitClock;
  readonly decisions: Readonly<Decisions>;
  /** The ready-made access tokens of the current world, by their names in the world. */
  tokens(): Promise<Readonly<Record<string, string>>>;
  /** Stops the kit: waits for the responses in progress, then closes the store. */
  close(): Promise<void>;
}

/** Kit time: wall time plus an offset. Timestamps, lifetimes and retries of the service use kit time. */
export interface KitClock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** How far kit time is ahead of wall time, in milliseconds. */
  readonly offset: number;
  /** Moves kit time forward, for all kits on the same database. @param by milliseconds, or a duration such as `1h30m` */
  advance(by: number | string): Promise<void>;
}

/** Hooks for tests. */
export interface KitHooks {
  /** Called after every request of the service. */
  readonly observe?: (observation: Observation) => void;
}
