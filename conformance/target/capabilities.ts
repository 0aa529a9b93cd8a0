import type { EventType } from '../../src/contract/generated/events.ts';
import { operations } from '../../src/contract/generated/operations.ts';
import type { NativeUser, Profile } from '../../src/contract/generated/profile.ts';
import type { TargetType } from '../../src/refusals/hostile-values.ts';
import type { BodyTemplate } from './template.ts';
import type { Visit } from './visit.ts';

type Part<Member extends keyof Profile> = NonNullable<Profile[Member]>;

export const SCOPES = [...new Set(Object.values(operations).map(({ scope }) => scope))];
export type Scope = (typeof SCOPES)[number];

export interface NewAssignment {
  readonly experienceId: string;
  readonly targetType: TargetType;
  readonly targetValue: string;
}

/** An account and an Experience, which have at most one connection. */
export type Pair = { readonly accountId: string; readonly experienceId: string };

/** A new subscription's settings (specification, Events › Subscription). */
export interface NewSubscription {
  readonly destinationUrl: string;
  readonly experienceId?: string | undefined;
  readonly types: readonly EventType[];
}

/** `create` returns the new entity's id, or a telephone number. */
export interface EntityActions<Arguments extends readonly unknown[]> {
  create(...args: Arguments): Promise<string>;
  remove(id: string): Promise<void>;
}

/** `create` creates an INACTIVE connection by default. A portal or platform may ignore `state`. */
export interface ConnectionActions extends EntityActions<[pair: Pair, state?: 'ACTIVE' | 'INACTIVE']> {
  update(connectionId: string, state: 'ACTIVE' | 'INACTIVE'): Promise<void>;
}

/** Creates, renames and removes users on the platform, identified by their unified ids. */
export interface PlatformUsers extends EntityActions<[accountId: string, names?: { firstName?: string; lastName?: string }]> {
  rename(userId: string, firstName: string): Promise<void>;
}

export interface WaitingTimes {
  /** The longest time between a change and its event's first delivery. */
  readonly eventMs: number;
  /**
   * How long a check waits for unwanted events after its last expected event has arrived, in milliseconds. The wait is necessary, because
   * deliveries may arrive in any order.
   */
  readonly graceMs: number;
}

export interface AuthorizationServer {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
}

/** Undefined if the target cannot cancel faults. */
type CancelFault = (() => Promise<unknown>) | undefined;

/** The tokens, entities, actions and settings that a target may provide. A check is not testable if the target lacks one that it needs. */
export interface Capabilities {
  /** A token with all scopes and the principal claim. Its user may manage `account`, `account.second` and the Experiences below. */
  token: string;
  /** A token with all scopes. Its user may view, but not manage, the entities that `token` may manage. */
  'token.reader': string;
  /** A token with all scopes. Its user may not view the entities that `token` may manage. */
  'token.outsider': string;
  /** A token with the same permissions as `token`, issued to another client. */
  'token.second-credential': string;
  /** Returns a token with the permissions of `token` and an unused rate limit. */
  'token.unused-credential': () => Promise<string>;
  /** Maps each scope to a token that has the same permissions as `token`, except this scope. */
  'token.without-scope': Readonly<Record<Scope, string>>;
  /** A token with all scopes, but without the principal claim. */
  'token.without-claim': string;
  /** A token with all scopes except users:manage, and without the principal claim. */
  'token.without-claim-and-scope': string;
  'token.expired': string;
  /** Permission for the suite to create entities, and to change and delete the entities that it created. */
  write: true;
  /** Permission for the suite to send several hundred requests in one second. */
  rate: true;
  account: string;
  'account.second': string;
  /** An account that exists but that `token` may not view. */
  'account.hidden': string;
  /** An account with more than 200 users. */
  'account.many-users': string;
  /** An account with more than 100 connections. `token` may read these connections. */
  'account.many-connections': string;
  /** The `.any` capabilities are ids for invalid calls: an existing entity's id if possible, otherwise a well-formed unknown id. */
  'account.any': string;
  'experience.any': string;
  'number.any': string;
  'user.any': string;
  /** If assignments require connections, this and the next three Experiences are connected to `account` and `account.second`. */
  experience: string;
  'experience.second': string;
  'experience.agent': string;
  'experience.second-agent': string;
  /** An Experience that `token` may read but for which `token` may not check assignability. */
  'experience.read-only': string;
  /** An Experience that exists but that `token` may not view. */
  'experience.hidden': string;
  /** Returns an Experience connected to neither `account` nor `account.second`. Three calls in a row return different Experiences. */
  'experiences.unconnected': () => Promise<string>;
  /** Returns an unassigned telephone number in `account`, a different one in each call. */
  numbers: () => Promise<string>;
  'number.second-account': string;
  /** Returns an unassigned user in `account`, a different one in each call. */
  users: () => Promise<string>;
  /** A user that exists but that `token` may not view. */
  'user.hidden': string;
  'user.base62': NativeUser;
  'user.legacy-numeric': NativeUser;
  'user.ambiguous': NonNullable<Part<'users'>['ambiguous']>;
  /** An Experience with more than 100 assignments in one account, which is more than one default page. */
  'assignments.many': Part<'manyAssignments'>;
  /** A template of the request body that creates a connection, with the placeholders `accountId`, `experienceId` and `state`. */
  'bodies.connectionCreate': BodyTemplate;
  /** A template of the request body that updates a connection, with the placeholder `state`. */
  'bodies.connectionUpdate': BodyTemplate;
  /** The query values that sort the users list. The target must provide them, because the specification does not define them. */
  'users.sort': NonNullable<Part<'users'>['sort']>;
  /** The longest delay, in milliseconds, before a change appears in the users list. */
  'users.read-model-bound': number;
  /** The longest delay, in milliseconds, before the lists of assignments and connections show a change. Absent: no delay. */
  'lists.bound': number;
  /** Simulates a failure: the operation's next call with these parameters gets this status. */
  'fault.users': (
    operation: 'getUsers' | 'getUser',
    status: 429 | 500,
    parameters: Readonly<Record<string, string>>,
  ) => Promise<CancelFault>;
  /** Makes the authorization service unreachable during the next call of the operation. The target must still answer this call. */
  'fault.authorization': (operation: 'getUsers' | 'getUser', parameters: Readonly<Record<string, string>>) => Promise<CancelFault>;
  'platform.users': PlatformUsers;
  'platform.connections': ConnectionActions;
  'platform.assignments': EntityActions<[assignment: NewAssignment]>;
  /** Creates and removes accounts. A new account is empty, and `token` may manage it. */
  'platform.accounts': EntityActions<[]>;
  'platform.numbers': EntityActions<[accountId: string]>;
  'portal.connections': ConnectionActions;
  'portal.assignments': EntityActions<[assignment: NewAssignment]>;
  'portal.users': EntityActions<[accountId: string]>;
  subscriptions: EntityActions<[subscription: NewSubscription]>;
  /** An existing subscription to all event types for all the provider's Experiences. */
  subscription: NonNullable<Part<'events'>['subscription']>;
  'events.patience': WaitingTimes;
  /** The longest time, in milliseconds, until an event is delivered. Absent: a missing event breaks no rule. */
  'events.delivered-within': number;
  /** The longest time, in milliseconds, until an unacknowledged delivery is repeated. */
  'events.repeats': number;
  /** How the suite can receive https deliveries: at a separate port (`own`) or at a public URL (`public`). */
  'events.tls': 'own' | 'public';
  /**
   * Makes the target send a delivery to the URL.
   * @returns why it does not arrive; undefined if it arrives
   */
  'events.reach': (url: string) => Promise<string | undefined>;
  /** Whether the target has finished all deliveries to the subscription, so that checks can stop waiting. */
  'events.idle': (subscriptionId: string) => Promise<boolean>;
  /** Returns the current time of the clock that sets `timestamp` in events, in milliseconds since 1970. */
  'events.now': () => Promise<number>;
  /** Returns the current time of the clock that sets the `webhook-timestamp` header, in milliseconds since 1970. */
  'events.sent-now': () => Promise<number>;
  /** Returns the name and provider that an Experience's events must contain. */
  'experience.facts': (experienceId: string) => Promise<NonNullable<Part<'experiences'>['facts']>[string]>;
  /** @param baseUrl the base URL for the check's requests, possibly a proxy */
  'oauth.server': (baseUrl: string) => AuthorizationServer;
  'oauth.secret-client': NonNullable<Part<'authorization'>['secretClient']>;
  /** A client whose access tokens and codes expire soon. Absent if the checks of expiry use the other clients. */
  'oauth.expiring-client': NonNullable<Part<'authorization'>['secretClient']>;
  'oauth.key-client': NonNullable<Part<'authorization'>['keyClient']>;
  /** The telephone number of a user who may manage `account`. */
  'oauth.login-hint': string;
  /** Logs in as the user of `oauth.login-hint` and approves the request. */
  'oauth.approve': Visit;
  'oauth.deny': Visit;
  /** The lifetime, in milliseconds, of an authorization code of the client in the checks of expiry. Absent if unknown. */
  'oauth.code-lifetime': number;
  /** Lets `ms` milliseconds pass for the target, by moving the target's clock forward or by waiting. */
  'clock.wait': (ms: number) => Promise<void>;
  /** Moves the target's clock forward by `ms` milliseconds. In total, a run moves the clock by a few hours at most. */
  'clock.advance': (ms: number) => Promise<void>;
}

export type Capability = keyof Capabilities;

/** @param alsoNeeded capabilities that the check needs later, so that the report lists everything that is missing */
export type Need = <C extends Capability>(capability: C, ...alsoNeeded: readonly Capability[]) => Promise<Capabilities[C]>;

export type OperatorCapabilities = Pick<Capabilities, Extract<Capability, `portal.${string}` | `platform.${string}`>>;
