import type { EventType } from '../../src/contract/generated/events.ts';

export type TargetType = 'ACCOUNT' | 'PHONE_NUMBER' | 'USER';

/** The body of a request that creates an assignment. */
export interface NewAssignment {
  readonly experienceId: string;
  readonly targetType: TargetType;
  readonly targetValue: string;
}

/** An account and an Experience; at most one connection joins them. */
export type Pair = { readonly accountId: string; readonly experienceId: string };

/** What a subscriber supplies (Events › Subscription). */
export interface NewSubscription {
  readonly destinationUrl: string;
  readonly experienceId?: string | undefined;
  readonly types: readonly EventType[];
}

/** Only the operator can create subscriptions. */
export interface Subscriptions {
  /** @returns the subscriptionId */
  create(subscription: NewSubscription): Promise<string>;
  remove(subscriptionId: string): Promise<void>;
}

/** Changes of connections in an end-user portal or on the platform. */
export interface ConnectionsElsewhere {
  /** @param state default: INACTIVE. @returns the id of the new connection */
  create(pair: Pair, state?: 'ACTIVE' | 'INACTIVE'): Promise<string>;
  update(connectionId: string, state: 'ACTIVE' | 'INACTIVE'): Promise<void>;
  remove(connectionId: string): Promise<void>;
}

export interface AssignmentsElsewhere {
  create(assignment: NewAssignment): Promise<string>;
  remove(assignmentId: string): Promise<void>;
}

export interface UsersElsewhere {
  /** @returns the unified id */
  create(accountId: string): Promise<string>;
  remove(userId: string): Promise<void>;
}

export interface AccountsOfPlatform {
  /** @returns the id of an empty account that `token` may manage */
  create(): Promise<string>;
  remove(accountId: string): Promise<void>;
}

export interface NumbersOfPlatform {
  /** @returns the number, in E.164 */
  create(accountId: string): Promise<string>;
  remove(telephoneNumber: string): Promise<void>;
}

/** What events contain of an Experience beyond its id. */
export interface ExperienceFacts {
  readonly name: string;
  readonly providerId: string;
}

/** The subscription that the operator created before the run. */
export interface SharedSubscription {
  readonly subscriptionId: string;
  /** Of its destinationUrl. */
  readonly path: string;
}
