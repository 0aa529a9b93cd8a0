import type { JsonWebKey } from 'node:crypto';
import type { operations } from '../../src/contract/generated/operations.ts';
import type {
  AccountsOfPlatform,
  AssignmentsElsewhere,
  ConnectionsElsewhere,
  ExperienceFacts,
  NumbersOfPlatform,
  SharedSubscription,
  Subscriptions,
  UsersElsewhere,
} from './capabilities-of-events.ts';
import type { BodyTemplate } from './template.ts';
import type { Visit } from './visit.ts';

export type Scope = (typeof operations)[keyof typeof operations]['scope'];

/** A native id and the unified id of the same user. */
export interface NativeUser {
  readonly nativeId: string;
  readonly unifiedId: string;
}

/** A native id that identifies one user in one style and another user in the other, with the unified ids of both. */
export interface AmbiguousUser {
  readonly nativeId: string;
  readonly legacyNumeric: string;
  readonly base62: string;
}

/** The values of sortBy, by the member of a user that each sorts by, and the values of sortOrder. */
export interface UsersSort {
  readonly fields: Readonly<Partial<Record<'createdAt' | 'updatedAt' | 'firstName' | 'lastName', string>>>;
  readonly ascending: string;
  readonly descending: string;
}

/** Changes of users on the platform. */
export interface PlatformUsers {
  /** @returns the unified id of the new user. */
  create(accountId: string, names?: { firstName?: string; lastName?: string }): Promise<string>;
  rename(userId: string, firstName: string): Promise<void>;
  remove(userId: string): Promise<void>;
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

/** What a client assertion needs, beyond what RFC 7523 prescribes. */
export interface AssertionClient {
  readonly clientId: string;
  readonly privateJwk: JsonWebKey;
  readonly audience: string;
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
  /**
   * These four are always available: a known one, such as `account`, or else one that is well formed and does not exist. They are for calls that
   * must only succeed before a change to them is refused. A target may refuse them if they do not exist.
   */
  'account.any': string;
  'experience.any': string;
  'number.any': string;
  'user.any': string;
  'account.second': string;
  /** An account that exists and that `token` may not view. */
  'account.hidden': string;
  /** An account with more than 200 users. */
  'account.many-users': string;
  /** An account with more than 100 connections that `token` may read. */
  'account.many-connections': string;
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
  'user.ambiguous': AmbiguousUser;
  /** An Experience with more than 100 assignments to targets of an account: more than a default page. */
  'assignments.many': { readonly accountId: string; readonly experienceId: string; readonly count: number };
  /** Bodies that the specification does not show; placeholders are `accountId`, `experienceId` and `state`. */
  'bodies.connectionCreate': BodyTemplate;
  'bodies.connectionUpdate': BodyTemplate;
  /** What the users list can be sorted by; the specification does not show it. */
  'users.sort': UsersSort;
  /** Within how many milliseconds the users list shows a change. */
  'users.read-model-bound': number;
  /** Makes one users operation fail once with the status. */
  'fault.users': (operation: 'getUsers' | 'getUser', status: 429 | 500 | 503) => Promise<void>;
  'platform.users': PlatformUsers;
  'platform.connections': ConnectionsElsewhere;
  'platform.assignments': AssignmentsElsewhere;
  'platform.accounts': AccountsOfPlatform;
  'platform.numbers': NumbersOfPlatform;
  'portal.connections': ConnectionsElsewhere;
  'portal.assignments': AssignmentsElsewhere;
  'portal.users': UsersElsewhere;
  /** Subscribes to the events of all Experiences of the provider, or of one. */
  subscriptions: Subscriptions;
  /** An existing subscription to all types, for all Experiences of the provider. */
  subscription: SharedSubscription;
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
  'experience.facts': (experienceId: string) => Promise<ExperienceFacts>;
  /** @param baseUrl where the check sends its requests: a proxy in front of a kit is also in front of its authorization server. */
  'oauth.server': (baseUrl: string) => AuthorizationServer;
  'oauth.secret-client': { readonly clientId: string; readonly secret: string; readonly redirectUri: string };
  /** `secret`: if it can also authenticate with a secret. */
  'oauth.key-client': AssertionClient & { readonly redirectUri: string; readonly secret?: string };
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
