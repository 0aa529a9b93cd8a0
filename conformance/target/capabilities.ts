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

/** How long to wait for what a target sends, in milliseconds. */
export interface Patience {
  /** Until the first delivery of an event. */
  readonly eventMs: number;
  /** Until a delivery that was not acknowledged is repeated. Absent: unknown. */
  readonly repeatMs?: number;
  /** For expecting no event: how long to wait after a later event has arrived, because deliveries are not ordered. */
  readonly graceMs: number;
}

/** The addresses of the authorization server. */
export interface AuthorizationServer {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
}

/**
 * Everything that checks may need of a target beyond its base URL. If a capability is missing, the checks that need it are not testable, and the
 * report names it. Tokens are access tokens; ids and numbers are written as in the API.
 */
export interface Capabilities {
  /** Of an identity that may manage `account`, `account.second` and the Experiences below, with all four scopes and the principal claim. */
  token: string;
  /** Of an identity that may read the same and manage nothing, with all scopes. */
  'token.reader': string;
  /** Of an identity that sees none of it, with all scopes. */
  'token.outsider': string;
  /** Of another credential that may do what `token` may. */
  'token.second-credential': string;
  /** Takes a token of an unused credential that may do what `token` may, never the same one twice. */
  'token.unused-credential': () => Promise<string>;
  /** As `token`, but lacking one scope. */
  'token.without-scope': Readonly<Record<Scope, string>>;
  /** As `token`, but without the principal claim. */
  'token.without-claim': string;
  /** As `token`, but lacking both the principal claim and the scope users:manage. */
  'token.without-claim-and-scope': string;
  'token.expired': string;
  /** The suite may create, change and delete its own entities. */
  write: true;
  /** The suite may send several hundred requests in one second. */
  rate: true;
  account: string;
  'account.second': string;
  /** An account that exists and that `token` may not view. */
  'account.hidden': string;
  /** An account with more than 200 users. */
  'account.many-users': string;
  /** An account with more than 100 connections that `token` may read. */
  'account.many-connections': string;
  /**
   * These four are always available: a known id, or one that is well formed and does not exist. They are for calls that only have to succeed before
   * a change to them is refused. A target may refuse ids that do not exist.
   */
  'account.any': string;
  'experience.any': string;
  'number.any': string;
  'user.any': string;
  /** This one and the next three are connected to `account` and `account.second` if the target requires that for assignments. */
  experience: string;
  'experience.second': string;
  /** This one and the next are of type AGENT. */
  'experience.agent': string;
  'experience.second-agent': string;
  /** One that the caller of `token` may read, and not check assignability for. */
  'experience.read-only': string;
  /** One that exists and is not accessible to the caller. */
  'experience.hidden': string;
  /** Takes an Experience without a connection to `account` and `account.second`, and not one of the last two taken. */
  'experiences.unconnected': () => Promise<string>;
  /** Takes a telephone number of `account` without assignments, never the same one twice. */
  numbers: () => Promise<string>;
  /** A telephone number of `account.second`. */
  'number.second-account': string;
  /** Takes a user of `account` without assignments, never the same one twice. */
  users: () => Promise<string>;
  /** A user that exists and that `token` may not view. */
  'user.hidden': string;
  'user.base62': NativeUser;
  'user.legacy-numeric': NativeUser;
  'user.ambiguous': NonNullable<Part<'users'>['ambiguous']>;
  /** An Experience with more than 100 assignments to targets of an account: more than a default page. */
  'assignments.many': Part<'manyAssignments'>;
  /** Bodies that the specification does not show; placeholders are `accountId`, `experienceId` and `state`. */
  'bodies.connectionCreate': BodyTemplate;
  'bodies.connectionUpdate': BodyTemplate;
  /** What the users list can be sorted by; the specification does not show it. */
  'users.sort': NonNullable<Part<'users'>['sort']>;
  /** Within how many milliseconds the users list shows a change. */
  'users.read-model-bound': number;
  /** Makes one users operation fail once with the status. */
  'fault.users': (operation: 'getUsers' | 'getUser', status: 429 | 500 | 503) => Promise<void>;
  'platform.users': PlatformUsers;
  'platform.connections': ConnectionActions;
  'platform.assignments': EntityActions<[assignment: NewAssignment]>;
  /** Creates an empty account that `token` may manage. */
  'platform.accounts': EntityActions<[]>;
  'platform.numbers': EntityActions<[accountId: string]>;
  'portal.connections': ConnectionActions;
  'portal.assignments': EntityActions<[assignment: NewAssignment]>;
  'portal.users': EntityActions<[accountId: string]>;
  /** Subscribes to the events of all Experiences of the provider, or of one. */
  subscriptions: EntityActions<[subscription: NewSubscription]>;
  /** An existing subscription to all types, for all Experiences of the provider. */
  subscription: NonNullable<Part<'events'>['subscription']>;
  /** How long to wait for events. */
  'events.patience': Patience;
  /** Within how many milliseconds a delivery that was not acknowledged is repeated. */
  'events.repeats': number;
  /** The suite can receive deliveries with https: it listens itself (own), or a public address forwards them. */
  'events.tls': 'own' | 'public';
  /** Attempts a delivery to the address. @returns why it does not arrive; undefined if it does */
  'events.reach': (url: string) => Promise<string | undefined>;
  /** Whether no delivery to the subscription is pending. It only saves time. */
  'events.idle': (subscriptionId: string) => Promise<boolean>;
  /** The clock that `timestamp` follows, in milliseconds since 1970. */
  'events.now': () => Promise<number>;
  /** The clock that `webhook-timestamp` follows, in milliseconds since 1970. */
  'events.sent-now': () => Promise<number>;
  /** What events contain of an Experience beyond its id. */
  'experience.facts': (experienceId: string) => Promise<NonNullable<Part<'experiences'>['facts']>[string]>;
  /** @param baseUrl where the check sends its requests: a proxy in front of a kit is also in front of its authorization server. */
  'oauth.server': (baseUrl: string) => AuthorizationServer;
  'oauth.secret-client': NonNullable<Part<'authorization'>['secretClient']>;
  'oauth.key-client': NonNullable<Part<'authorization'>['keyClient']>;
  /** The telephone number of a user who may manage `account`. */
  'oauth.login-hint': string;
  /** That user approves, or denies. */
  'oauth.approve': Visit;
  'oauth.deny': Visit;
  /** Moves the target's clock forward by milliseconds. A run moves it by a few hours at most. */
  'clock.advance': (ms: number) => Promise<void>;
}

export type Capability = keyof Capabilities;

/** The actions of the operator of the target and of its end users, in a portal or on the platform. */
export type Elsewhere = Pick<Capabilities, Extract<Capability, `portal.${string}` | `platform.${string}`>>;
