import type { components } from './contract/generated/control.ts';
import type { DecisionId, Decisions } from './contract/generated/decisions.ts';
import type { Observation } from './http/observation.ts';
import type { ConnectedKit } from './sdk/connect.ts';
import type { KitTools } from './sdk/kit-tools.ts';
import type { Migrations } from './store/migrations.ts';
import type { Store } from './store/store.ts';
import type { World } from './world/world.ts';

/** A running kit, with tools for tests. `await using` closes the kit at the end of the block. */
export interface Kit extends KitTools, Pick<ConnectedKit, 'createWorld'>, AsyncDisposable {
  /** The service's address, without a trailing slash. */
  readonly url: string;
  /** The authorization server's address, which the specification calls {auth_url}. */
  readonly authUrl: string;
  readonly port: number;
  /** @internal */
  readonly store: Store;
  /** Whether the store was empty and the kit loaded its world. Otherwise, the stored world is used until a reset. */
  readonly fresh: boolean;
  world(): string;
  /**
   * Replaces the world, and the world that a reset restores. Like a reset, it publishes no events, removes faults and ends logins.
   * @param fixtures a packaged world's name, a world file's path, or a world as an object
   * @throws FixtureError, without a change, if the world is not valid
   */
  load(fixtures: string | World): Promise<void>;
  readonly clock: KitClock;
  readonly decisions: Readonly<Decisions>;
  tokens(): Promise<Readonly<Record<string, string>>>;
  /** Stops the kit, after the responses in progress. Further calls have no effect. */
  close(): Promise<void>;
}

/** A kit's clock. Kit time is wall time plus an offset. */
export interface KitClock {
  /** Returns kit time, in milliseconds since the Unix epoch. */
  now(): number;
  /** How far kit time is ahead of wall time, in milliseconds. */
  readonly offset: number;
  /**
   * Moves kit time forward for all kits with the same database, and makes the delivery attempts that become due.
   * @param by the advance in milliseconds, or as a duration such as `1h30m`
   * @param maxWaitMs the maximum wait in milliseconds of wall time; default 30000
   * @returns kit time after the change, and the attempts
   */
  advance(by: number | string, maxWaitMs?: number): Promise<Advanced>;
}

export type Advanced = components['schemas']['Advanced'];

export interface KitHooks {
  readonly observe?: (observation: Observation) => void;
  /** Is called whenever the kit looks up a decision. */
  readonly onDecision?: (id: DecisionId) => void;
  /** The maximum number of requests in the journal. Default 1000. */
  readonly journalCapacity?: number;
  /** The number of events, and of operators' changes, that are kept. Default 5000. */
  readonly historyCapacity?: number;
  /** The migrations that the kit knows. By default, this version's migrations. */
  readonly migrations?: Migrations;
}
