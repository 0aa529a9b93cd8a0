import type { Decisions } from './contract/generated/decisions.ts';
import type { Observation } from './http/observation.ts';
import type { Store } from './store/store.ts';

export interface Kit {
  /** The address of the service, without a trailing slash. */
  readonly url: string;
  /** The address of the authorization server, which the specification calls {auth_url}. */
  readonly authUrl: string;
  readonly port: number;
  readonly store: Store;
  /**
   * True if the kit loaded its world into an empty store. False if the store already had a world. The kit then uses the existing world
   * until a reset loads the world of the settings.
   */
  readonly fresh: boolean;
  /** The name of the current world. */
  world(): string;
  readonly clock: KitClock;
  readonly decisions: Readonly<Decisions>;
  /** Returns the ready-made access tokens of the current world by name. */
  tokens(): Promise<Readonly<Record<string, string>>>;
  /** Stops the kit. Waits for the responses in progress, then closes the store. */
  close(): Promise<void>;
}

/** The clock of a kit. Kit time is wall time plus an offset. Timestamps, lifetimes and retries of the service use kit time. */
export interface KitClock {
  /** Returns kit time, in milliseconds since the Unix epoch. */
  now(): number;
  /** How far kit time is ahead of wall time, in milliseconds. */
  readonly offset: number;
  /** Moves kit time forward for all kits that use the same database. @param by milliseconds, or a duration such as `1h30m` */
  advance(by: number | string): Promise<void>;
}

/** Hooks for tests. */
export interface KitHooks {
  /** Called after every request to the service. */
  readonly observe?: (observation: Observation) => void;
}
