import type { EventType } from '../../src/contract/generated/events.ts';
import type { operations } from '../../src/contract/generated/operations.ts';
import type { NativeUser, Profile } from '../../src/contract/generated/profile.ts';
import type { BodyTemplate } from './template.ts';
import type { Visit } from './visit.ts';

type Part<Member extends keyof Profile> = NonNullable<Profile[Member]>;

export type Scope = (typeof operations)[keyof typeof operations]['scope'];

export type TargetType = 'ACCOUNT' | 'PHONE_NUMBER' | 'USER';

/** The body of a request that creates an assignment. */
export interface NewAssignment {
  readonly experienceId: string;
  readonly targetType: TargetType;
  readonly targetValue: string;
}

/** An account and an Experience for a connection. A pair has at most one connection. */
export type Pair = { readonly accountId: string; readonly experienceId: string };

/** A new subscription's settings (specification, Events › Subscription). */
export interface NewSubscription {
  readonly destinationUrl: string;
  readonly experienceId?: string | undefined;
  readonly types: readonly EventType[];
}

/**
 * The actions with which an operator, or an end user in a portal, creates and removes entities. `create` returns the new entity's id. For a
 * telephone number, the id is the number itself.
 */
export interface EntityActions<Arguments extends readonly unknown[]> {
  create(...args: Arguments): Promise<string>;
  remove(id: string): Promise<void>;
}

/**
 * The actions on connections. `state` is the new connection's state; default: INACTIVE. A portal or platform that cannot choose the state
 * ignores `state`.
 */
export interface ConnectionActions extends EntityActions<[pair: Pair, state?: 'ACTIVE' | 'INACTIVE']> {
  update(connectionId: string, state: 'ACTIVE' | 'INACTIVE'): Promise<void>;
}

/** The actions on users on the platform. All ids are unified ids. */
export interface PlatformUsers extends EntityActions<[accountId: string, names?: { firstName?: string; lastName?: string }]> {
  rename(userId: string, firstName: string): Promise<void>;
}

/** The times, in milliseconds, for which a check waits for the target's deliveries. */
export interface WaitingTimes {
  /** The longest time between a change and its event's first delivery. */
  readonly eventMs: number;
  /**
   * The additional wait for an event that must not be published. It begins when a later change's event has arrived, because deliveries may
   * arrive in any order.
   */
  readonly graceMs: number;
}

export interface AuthorizationServer {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
}

/** Cancels a requested failure that has not occurred yet. Undefined if the target cannot cancel failures. */
type CancelFault = (() => Promise<unknown>) | undefined;

/**
 * What checks may need from a target, in addition to its base URL. If a capability is missing, the checks that need it are not testable,
 * and the report names the capability. Tokens are access tokens. Ids and telephone numbers have the API's format.
 */
export interface Capabilities {
  /** A token with all scopes and the principal claim. The token's user may manage `account`, `account.second` and the Experiences below. */
  token: string;
  /** A token with all scopes. The token's user may read everything that `token` may manage, and may manage nothing. */
  'token.reader': string;
  /** A token with all scopes. The token's user may read nothing that `token` may manage. */
  'token.outsider': string;
  /** A token with the same permissions as `token`, issued to another client. */
  'token.second-credential': string;
  /** Returns a token with the same permissions as `token`, issued to a new client whose rate limit is still unused. */
  'token.unused-credential': () => Promise<string>;
  /** Maps a scope to a token like `token`, but without this scope. */
  'token.without-scope': Readonly<Record<Scope, string>>;
  /** A token like `token`, but without the principal claim. */
  'token.without-claim': string;
  /** A token like `token`, but without the principal claim and without the scope users:manage. */
  'token.without-claim-and-scope': string;
  'token.expired': string;
  /** The suite may create entities, and may change and delete the entities that it created. */
  write: true;
  /** The suite may send several hundred requests in one second. */
  rate: true;
  account: string;
  'account.second': string;
  /** An account that exists but that `token` may not view. */
  'account.hidden': string;
  /** An account with more than 200 users. */
  'account.many-users': string;
  /** An account with more than 100 connections that `token` may read. */
  'account.many-connections': string;
  /**
   * The four `.any` capabilities are always available: an existing id if the target has one; otherwise, a well-formed id that does not
   * exist. Checks use these ids in invalid calls, and then in a valid call, which a target may refuse if it does not know the id.
   */
  'account.any': string;
  'experience.any': string;
  'number.any': string;
  'user.any': string;
  /** If assignments require a connection, this Experience and the next three are connected to `account` and `account.second`. */
  experience: string;
  'experience.second': string;
  /** This Experience and the next one have the type AGENT. */
  'experience.agent': string;
  'experience.second-agent': string;
  /** An Experience that `token` may read but for which `token` may not check assignability. */
  'experience.read-only': string;
  /** An Experience that exists but that `token` may not view. */
  'experience.hidden': string;
  /**
   * Returns an Experience that is not connected to `account` or `account.second`. Three calls in a row return three different Experiences.
   */
  'experiences.unconnected': () => Promise<string>;
  /** Returns an unassigned telephone number in `account`, a different one in each call. */
  numbers: () => Promise<string>;
  /** A telephone number in `account.second`. */
  'number.second-account': string;
  /** Returns an unassigned user in `account`, a different one in each call. */
  users: () => Promise<string>;
  /** A user that exists but that `token` may not view. */
  'user.hidden': string;
  'user.base62': NativeUser;
  'user.legacy-numeric': NativeUser;
  'user.ambiguous': NonNullable<Part<'users'>['ambiguous']>;
  /** An Experience with more than 100 assignments to one account's targets. The assignments do not fit on one page of the default size. */
  'assignments.many': Part<'manyAssignments'>;
  /**
   * A template for the body that creates a connection. The specification does not define this body. Placeholders: `accountId`,
   * `experienceId`, `state`.
   */
  'bodies.connectionCreate': BodyTemplate;
  /** A template for the body that updates a connection. The specification does not define this body. Placeholder: `state`. */
  'bodies.connectionUpdate': BodyTemplate;
  /** The query values that sort the users list. The specification does not define these values. */
  'users.sort': NonNullable<Part<'users'>['sort']>;
  /** The longest delay, in milliseconds, before a change appears in the users list. */
  'users.read-model-bound': number;
  /**
   * The longest delay, in milliseconds, before a change appears in the lists of assignments and connections. Absent: changes appear at
   * once.
   */
  'lists.bound': number;
  /** Makes the operation's next call with these parameters fail with the status. */
  'fault.users': (
    operation: 'getUsers' | 'getUser',
    status: 429 | 500,
    parameters: Readonly<Record<string, string>>,
  ) => Promise<CancelFault>;
  /**
   * Makes the authorization service unreachable during the operation's next call with these parameters. The target must answer that call.
   */
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
  /** Creates and removes subscriptions to the events of one Experience, or of all the provider's Experiences. */
  subscriptions: EntityActions<[subscription: NewSubscription]>;
  /** An existing subscription to all event types for all the provider's Experiences. */
  subscription: NonNullable<Part<'events'>['subscription']>;
  'events.patience': WaitingTimes;
  /** The longest time, in milliseconds, until an event is delivered. Absent: a missing event breaks no rule. */
  'events.delivered-within': number;
  /** The longest time, in milliseconds, until an unacknowledged delivery is repeated. */
  'events.repeats': number;
  /** Available if the suite can receive https deliveries. `own`: at a separate port. `public`: at a public URL. */
  'events.tls': 'own' | 'public';
  /** Makes the target send a delivery to the URL. @returns the reason why the delivery does not arrive; undefined if it arrives */
  'events.reach': (url: string) => Promise<string | undefined>;
  /** Returns true if no delivery to the subscription is pending, so that a check need not wait for further deliveries. */
  'events.idle': (subscriptionId: string) => Promise<boolean>;
  /** Reads the clock for the `timestamp` in events, in milliseconds since 1970. */
  'events.now': () => Promise<number>;
  /** Reads the clock for the `webhook-timestamp` header, in milliseconds since 1970. */
  'events.sent-now': () => Promise<number>;
  /** Returns an Experience's name and provider, which events contain in addition to the Experience id. */
  'experience.facts': (experienceId: string) => Promise<NonNullable<Part<'experiences'>['facts']>[string]>;
  /**
   * Returns the authorization server's URLs.
   * @param baseUrl the base URL for the check's requests. A proxy in front of a kit is also in front of the kit's authorization server.
   */
  'oauth.server': (baseUrl: string) => AuthorizationServer;
  'oauth.secret-client': NonNullable<Part<'authorization'>['secretClient']>;
  'oauth.key-client': NonNullable<Part<'authorization'>['keyClient']>;
  /** The telephone number of a user who may manage `account`. */
  'oauth.login-hint': string;
  /** Logs in as the user of `oauth.login-hint` and approves the request. */
  'oauth.approve': Visit;
  /** Logs in as a user and denies the request. */
  'oauth.deny': Visit;
  /** The lifetime, in milliseconds, of an authorization code. Absent if the target does not state it. */
  'oauth.code-lifetime': number;
  /** Lets `ms` milliseconds pass for the target: moves the target's clock forward, or waits. */
  'clock.wait': (ms: number) => Promise<void>;
  /** Moves the target's clock forward by `ms` milliseconds. A run moves the clock by at most a few hours in total. */
  'clock.advance': (ms: number) => Promise<void>;
}

export type Capability = keyof Capabilities;

/** The capabilities with which the target's operator and end users change entities outside the API: in a portal or on the platform. */
export type OutsideActions = Pick<Capabilities, Extract<Capability, `portal.${string}` | `platform.${string}`>>;
