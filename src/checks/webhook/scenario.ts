import type { EventType } from '../../contract/generated/events.ts';
import type { WebhookRuleId } from '../rules.ts';

/** Changes to a kit's world and deliveries to an endpoint. A scenario is data, so that it can be printed, shortened and repeated. */
export interface Scenario {
  /** For example, `older-after-newer`. */
  readonly id: string;
  /** A sentence that says what happens, such as "An older event arrives after a newer one." */
  readonly title: string;
  readonly steps: readonly Step[];
}

/** A scenario that shows whether a consumer follows one rule. */
export interface FixedScenario extends Scenario {
  readonly rule: WebhookRuleId;
  /** What to change if a consumer fails. */
  readonly advice: string;
  /** The ids of scenarios that must pass first, because this scenario would fail for the same reason. */
  readonly requires?: readonly string[];
  /** A note to report instead of a failure, because the specification leaves the behavior open. */
  readonly observation?: string;
  /** Whether an unacknowledged delivery breaks this rule instead of events.endpoint.acknowledges-with-2xx. */
  readonly refusalBreaksRule?: boolean;
}

/** The name of an entity within a scenario. `c1` is a connection, `a1` an assignment, and `u1` a user. */
export type EntityName = string;

/** The name of a published event within a scenario, such as `c1 activated`. Each event in a scenario has its own name. */
export type EventName = string;

export type Step =
  | Change
  | Send
  /** Sends several deliveries at the same time. Each delivery is repeated until it is acknowledged. */
  | { readonly step: 'burst'; readonly sends: readonly Omit<Send, 'step'>[] }
  | Compare
  /**
   * Makes GET /users fail with 503, in an account that the consumer does not know yet. Deliveries that are not acknowledged meanwhile are
   * repeated at `users-available`.
   */
  | { readonly step: 'users-unavailable'; readonly account: number }
  | { readonly step: 'users-available' }
  /** Restarts the consumer, with the user's hook. */
  | { readonly step: 'restart' }
  /**
   * Makes the consumer lose its store, with the user's hook. The `during` steps are performed while the consumer waits for account 0's
   * `list`, by default its connections. The list does not show the changes that these steps make.
   */
  | { readonly step: 'lose-store'; readonly list?: 'connections' | 'users'; readonly during?: readonly (Change | Send)[] }
  /** Stores the total once it no longer changes. Does nothing if the consumer's state contains the user sets. */
  | { readonly step: 'remember-total' }
  /** Waits until the lists show all changes. */
  | { readonly step: 'wait-for-lists' }
  /** The remaining steps run after other scenarios, and at least 1.1 seconds after the first step. */
  | { readonly step: 'later' };

/** Changes the world and stores the published event under a name. A `send` step delivers the event. */
export interface Change {
  readonly step: 'change';
  /** The type of the event that the change publishes. */
  readonly type: EventType;
  readonly entity: EntityName;
  readonly event: EventName;
  /** For a new entity, the index of its account. The default is 0. */
  readonly account?: number;
  /** For a new assignment, its target. The default is a telephone number. A user may belong to another account. */
  readonly targetType?: 'USER' | 'ACCOUNT';
}

/** Sends a published event to the endpoint until the endpoint acknowledges it. */
export interface Send {
  readonly step: 'send';
  readonly event: EventName;
  /** How to rewrite the event, in this delivery and in its later deliveries. */
  readonly as?: Rewrite;
  /** Closes the connection before the response is read, and repeats the delivery. */
  readonly loseAnswer?: boolean;
}

/**
 * Waits until the consumer's state equals the world, or until `settleMs` has passed. All events about the compared entities must have been
 * sent.
 */
export interface Compare {
  readonly step: 'compare';
  /**
   * - `entities` (default): the scenario's connections, assignments and users.
   * - `seeded`: an account's users that existed before the check.
   * - `all-users`: all the account's users.
   * - `unique`: each of the scenario's users is listed once, and only in its own account.
   * - `total`: the total equals the number of listed users. If the state has no `users`, the total changed by `change`.
   * - `applied`: none of the scenario's events was applied twice. Passes if the state lacks `applied`, unless `required` is set.
   * - `path-of-assignments`: after losing its store, the consumer listed the assignments with the path form that has updatedAt.
   */
  readonly what?: 'entities' | 'seeded' | 'all-users' | 'unique' | 'total' | 'applied' | 'path-of-assignments';
  /** For `seeded` and `all-users`: the account's index. The default is 0. */
  readonly account?: number;
  /** For `total`: the difference from the stored total. The default is 0. */
  readonly change?: number;
  /** For `applied`: makes the scenario not testable if the state lacks `applied`. */
  readonly required?: boolean;
  /** Whether a difference makes the scenario not testable instead of failed. True if another scenario tests the same behavior. */
  readonly precondition?: boolean;
}

/** How to change a published event before it is delivered. The specification permits all of these changes. */
export interface Rewrite {
  /** The value for `data.updatedAt`, instead of the published value. */
  readonly updatedAt?: SpelledInstant;
  /** The number of seconds to subtract from the envelope's `timestamp`, which the specification does not relate to `updatedAt`. */
  readonly timestampEarlier?: number;
  /** Where to add members that the specification does not list. */
  readonly unknownMembers?: 'envelope' | 'scope' | 'data';
  /** Whether to change the JSON's member order and white space. */
  readonly otherSpelling?: boolean;
  /** The value for `data.providerId`, instead of the published value. */
  readonly providerId?: string;
  /** Whether to send a copy of the event for a second Experience of the account, with its own `webhook-id` and `scope.experienceId`. */
  readonly ofOtherExperience?: boolean;
}

export interface SpelledInstant {
  /**
   * Seconds after the scenario's base instant, with at most six fraction digits. The base instant is on a full second, later than all
   * changes.
   */
  readonly seconds: number;
  /** The number of fraction digits to write, from 0 to 6. The default is 3. */
  readonly digits?: number;
  /** The UTC designator. The default is `Z`. */
  readonly zone?: 'Z' | '+00:00';
}
