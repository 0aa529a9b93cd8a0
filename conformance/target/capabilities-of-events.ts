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

/** How an operator, or an end user in a portal, creates and removes entities. `create` returns the id; that of a number is the number. */
export interface EntityActions<Arguments extends readonly unknown[]> {
  create(...args: Arguments): Promise<string>;
  remove(id: string): Promise<void>;
}

/** The state of a new connection is INACTIVE by default. */
export interface ConnectionActions extends EntityActions<[pair: Pair, state?: 'ACTIVE' | 'INACTIVE']> {
  update(connectionId: string, state: 'ACTIVE' | 'INACTIVE'): Promise<void>;
}

/** Users of the platform. Ids are unified ids. */
export interface PlatformUsers extends EntityActions<[accountId: string, names?: { firstName?: string; lastName?: string }]> {
  rename(userId: string, firstName: string): Promise<void>;
}
