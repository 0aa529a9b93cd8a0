import type { EventType } from '../../contract/generated/events.ts';
import type { WebhookRuleId } from '../rules.ts';
import type { AssignmentTarget } from './check-entities.ts';

/** A scenario is data, so that it can be printed, shortened and repeated. */
export interface WebhookScenario {
  readonly id: string;
  /** A sentence, such as "An older event arrives after a newer one." */
  readonly title: string;
  readonly steps: readonly Step[];
}

export interface FixedScenario extends WebhookScenario {
  readonly rule: WebhookRuleId;
  readonly advice: string;
  /** The ids of scenarios that must pass before this one runs. A fault that breaks one of them breaks this scenario, too. */
  readonly requires?: readonly string[];
  /** A note to report instead of a failure, because the specification leaves the behavior open. */
  readonly observation?: string;
  /** Whether a refused delivery breaks the scenario's `rule` instead of events.endpoint.acknowledges-with-2xx. */
  readonly refusalBreaksRule?: boolean;
}

/** An entity's name within a scenario: `c1` for a connection, `a1` for an assignment, `u1` for a user. */
export type EntityName = string;

/** An event's unique name within a scenario, such as `c1 activated`. */
export type EventName = string;

export type Step =
  | Change
  | Send
  /** Sends several deliveries at the same time, and sends the refused ones again, one after the other. */
  | { readonly step: 'burst'; readonly sends: readonly Omit<Send, 'step'>[] }
  | Compare
  /**
   * Makes GET /users fail with 503 for an account that is new to the consumer, until the step `users-available`, which also repeats the
   * refused deliveries.
   */
  | { readonly step: 'users-unavailable'; readonly account: number }
  | { readonly step: 'users-available' }
  | { readonly step: 'restart' }
  /**
   * Makes the consumer lose its store. The `during` steps run while the consumer waits for account 0's `list`, so the list does not contain
   * their changes.
   */
  | { readonly step: 'lose-store'; readonly list?: 'connections' | 'users'; readonly during?: readonly (Change | Send)[] }
  /** Stores the total once it is stable, unless the state contains the users. */
  | { readonly step: 'remember-total' }
  /** Stores which entities the consumer knows besides the scenario's. They must remain. */
  | { readonly step: 'remember-others' }
  | { readonly step: 'wait-for-lists' }
  /** Delivers 144 events about other users, and takes at least 1.1 seconds. */
  | { readonly step: 'later' };

/** A later `send` step sends the published event. */
export interface Change {
  readonly step: 'change';
  readonly type: EventType;
  readonly entity: EntityName;
  readonly event: EventName;
  /** For a new entity, the index of its account in `CheckWorld.accounts`. The default is 0. */
  readonly account?: number;
  /** For a new assignment. For `USER`, the user may belong to an account other than `account`. */
  readonly targetType?: AssignmentTarget | undefined;
}

export interface Send {
  readonly step: 'send';
  readonly event: EventName;
  /** How to rewrite the event, in this delivery and later ones. */
  readonly as?: Rewrite;
  /** Closes the connection before the response is read, and repeats the delivery. */
  readonly loseAnswer?: boolean;
}

/** Waits at most `settleMs` until the consumer's state equals the world. Earlier steps must send all events about the compared entities. */
export interface Compare {
  readonly step: 'compare';
  /**
   * - `entities` (default): the scenario's connections, assignments and users.
   * - `everything`: the same, with `unique`, `total` and `applied` as far as the state shows them, and with the users, connections and
   *   assignments that the step `remember-others` found.
   * - `seeded`: the account's users that existed before the check.
   * - `all-users`: all the account's users.
   * - `unique`: each of the scenario's users is listed once, in its own account.
   * - `total`: the total equals the number of listed users or, without a list, the total stored by `remember-total` plus `change`.
   * - `applied`: no event was applied twice.
   * - `path-of-assignments`: after the loss of its store, the consumer listed assignments, but not at the flat path. Lists at
   *   the flat path may omit updatedAt.
   * - `no-lists`: since it was restarted, the consumer read no list.
   */
  readonly what?: 'entities' | 'everything' | 'seeded' | 'all-users' | 'unique' | 'total' | 'applied' | 'path-of-assignments' | 'no-lists';
  /** The account's index for `seeded` and `all-users`. The default is 0. */
  readonly account?: number;
  /** The expected difference from the stored total. The default is 0. */
  readonly change?: number;
  /**
   * For `applied`, whether the consumer's state must contain the member `applied`. For `seeded`, whether the account must have had users
   * before the check. For `unique`, whether the users must be in different accounts. The default is false.
   */
  readonly required?: boolean;
  /** Whether the verdict for a wrong state is `not-testable` instead of `failed`, because another scenario tests this state. */
  readonly precondition?: boolean;
}

/** The specification permits all these changes. */
export interface Rewrite {
  readonly updatedAt?: FormattedInstant;
  /** Seconds to subtract from the envelope's `timestamp`. */
  readonly timestampEarlier?: number;
  /** Where to add members that the specification does not list. */
  readonly unknownMembers?: 'envelope' | 'scope' | 'data';
  /** Whether to change the JSON's member order and white space, the letter case of header names, and to add a charset. */
  readonly otherSpelling?: boolean;
  readonly providerId?: string;
  /** The number of another Experience, to which to send a copy with its own `webhook-id` and `scope.experienceId`. */
  readonly ofOtherExperience?: number;
}

export interface FormattedInstant {
  /** Seconds after the scenario's `baseMs`, with at most six fraction digits. */
  readonly seconds: number;
  /** The number of fraction digits to write, from 0 to 6. The default is 3. */
  readonly digits?: number;
  /** The default is `Z`. */
  readonly zone?: 'Z' | '+00:00';
}
