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

/** What the suite asks the operator for; the specification has no other way to a subscription. */
export interface Subscriptions {
  /** @returns the subscriptionId */
  create(wanted: NewSubscription): Promise<string>;
  remove(subscriptionId: string): Promise<void>;
}

/** Connections as somebody else than the provider changes them: in an end-user portal, or on the platform. */
export interface ConnectionsElsewhere {
  /** @returns the id of the new connection, which is INACTIVE unless said otherwise. */
  create(pair: Pair, state?: 'ACTIVE' | 'INACTIVE'): Promise<string>;
  update(connectionId: string, state: 'ACTIVE' | 'INACTIVE'): Promise<void>;
  remove(connectionId: string): Promise<void>;
}

export interface AssignmentsElsewhere {
  create(wanted: NewAssignment): Promise<string>;
  remove(assignmentId: string): Promise<void>;
}

export interface UsersElsewhere {
  /** @returns the unified id */
  create(accountId: string): Promise<string>;
  remove(userId: string): Promise<void>;
}

export interface AccountsOfPlatform {
  /** An account that `token` may manage, with nothing in it. */
  create(): Promise<string>;
  remove(accountId: string): Promise<void>;
}

export interface NumbersOfPlatform {
  /** @returns the number, in E.164 */
  create(accountId: string): Promise<string>;
  remove(telephoneNumber: string): Promise<void>;
}

/** What events say of an Experience beyond its id. */
export interface ExperienceFacts {
  readonly name: string;
  readonly providerId: string;
}

/** The subscription that an operator made beforehand. */
export interface SharedSubscription {
  readonly subscriptionId: string;
  /** Of its destinationUrl. */
  readonly path: string;
}
