import type { EventType } from '../../contract/generated/events.ts';

/**
 * A sequence of changes to the world of a kit and of deliveries to an endpoint. A scenario is data, so that it can be printed, shortened
 * and repeated.
 */
export interface Scenario {
  /** A name in words and hyphens, such as `older-after-newer`. */
  readonly id: string;
  /** One sentence that says what happens, such as "An older event arrives after a newer one." */
  readonly title: string;
  readonly steps: readonly Step[];
}

/**
 * The name of a connection, an assignment or a user within a scenario, such as `c1`. The event that creates the entity determines its kind.
 */
export type EntityName = string;

/** The name of a published event within a scenario, such as `c1 activated`. The events of a scenario have different names. */
export type EventName = string;

export type Step =
  | Change
  | Send
  /** Sends several deliveries at the same time. Each is repeated until it is acknowledged. */
  | { readonly step: 'burst'; readonly sends: readonly Omit<Send, 'step'>[] }
  | Compare
  /**
   * Makes GET /users fail with 503, in an account that the consumer does not know yet. Deliveries that are not acknowledged meanwhile are
   * repeated at `users-available`.
   */
  | { readonly step: 'users-unavailable'; readonly account: number }
  | { readonly step: 'users-available' }
  /** Restarts the consumer, with the hook of the user. */
  | { readonly step: 'restart' }
  /**
   * Makes the consumer lose its store, with the hook of the user. The steps of `during` are performed while the consumer waits for a list
   * of account 0, by default the list of connections. That list does not show the changes of these steps.
   */
  | { readonly step: 'lose-store'; readonly list?: 'connections' | 'users'; readonly during?: readonly (Change | Send)[] }
  /** Remembers the total, when it no longer changes. Does nothing if the view shows the sets. */
  | { readonly step: 'remember-total' }
  /** Waits until the lists show all changes. */
  | { readonly step: 'wait-for-lists' }
  /** The remaining steps run after other scenarios, and at least 1.1 seconds after the first step. */
  | { readonly step: 'later' };

/** Changes the world, which publishes an event. The event is kept under a name and is not sent. */
export interface Change {
  readonly step: 'change';
  /** The type of the event that the change publishes, which says what changes. */
  readonly type: EventType;
  readonly entity: EntityName;
  readonly event: EventName;
  /** The account of a new entity: the index of an account of the stage. The default is 0. */
  readonly account?: number;
  /** What a new assignment is for. The default is a telephone number. A user may be one of another account. */
  readonly targetType?: 'USER' | 'ACCOUNT';
}

/** Sends a published event to the endpoint, and repeats it until it is acknowledged. */
export interface Send {
  readonly step: 'send';
  readonly event: EventName;
  /** Later deliveries of the same event are rewritten in the same way, because a repeat is the same event. */
  readonly as?: Rewrite;
  /** Closes the HTTP connection before the response is read, and repeats the delivery, like a sender that did not get the response. */
  readonly loseAnswer?: boolean;
}

/**
 * Waits until the consumer's view equals the world, or until the time to settle has passed. All events of a compared entity must be sent
 * before, because a consumer knows only what it was sent.
 */
export interface Compare {
  readonly step: 'compare';
  /**
   * - `entities` (default): the connections, assignments and users of the scenario.
   * - `seeded`: the users of an account that the check did not create.
   * - `all-users`: all users of an account.
   * - `unique`: the users of the scenario are in the set of their account, once, and in no other set.
   * - `total`: the total is the sum over the sets. If the view does not show the sets, the total has changed by `change`.
   * - `applied`: no event of the scenario was applied twice. Does nothing if the view does not show it, unless it is required.
   * - `path-of-assignments`: since it lost its store, the consumer has read the list of assignments at the path whose entities have updatedAt.
   */
  readonly what?: 'entities' | 'seeded' | 'all-users' | 'unique' | 'total' | 'applied' | 'path-of-assignments';
  /** The account of `seeded` and `all-users`. The default is 0. */
  readonly account?: number;
  /** Of `total`: how the total differs from the remembered one. The default is 0. */
  readonly change?: number;
  /** Of `applied`: nothing else in the scenario shows whether the consumer follows the rule. */
  readonly required?: boolean;
  /** Whether a difference makes the scenario not testable instead of failed, because another scenario tests for this difference. */
  readonly precondition?: boolean;
}

/** Changes a published event in a way that the specification permits. */
export interface Rewrite {
  /** Another `data.updatedAt`: an instant relative to the start of the scenario, and the way to write it. */
  readonly updatedAt?: SpelledInstant;
  /** How many seconds earlier the `timestamp` of the envelope is. The specification does not tie it to `updatedAt`. */
  readonly timestampEarlier?: number;
  /** Adds members that the specification does not list. */
  readonly unknownMembers?: 'envelope' | 'scope' | 'data';
  /** Writes the members of the JSON in another order and with other white space. */
  readonly otherSpelling?: boolean;
  /** Another opaque `data.providerId`. */
  readonly providerId?: string;
  /** Turns the event into that of another Experience of the same account, with another `webhook-id` and `scope.experienceId`. */
  readonly ofOtherExperience?: boolean;
}

export interface SpelledInstant {
  /** Seconds after the base instant of the scenario, a whole second that is later than all changes. Up to six fraction digits. */
  readonly seconds: number;
  /** The number of fraction digits to write, from 0 to 6. The default is 3. */
  readonly digits?: number;
  /** How UTC is written. The default is `Z`. */
  readonly zone?: 'Z' | '+00:00';
}
