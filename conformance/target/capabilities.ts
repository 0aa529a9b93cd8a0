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

/** A native id that is one user's in one style, and another's in the other: the unified ids of both. */
export interface AmbiguousUser {
  readonly nativeId: string;
  readonly legacyNumeric: string;
  readonly base62: string;
}

/** The values of sortBy, by the member of a user that they sort by, and those of sortOrder. */
export interface UsersSort {
  readonly fields: Readonly<Partial<Record<'createdAt' | 'updatedAt' | 'firstName' | 'lastName', string>>>;
  readonly ascending: string;
  readonly descending: string;
}

/** What the suite can ask a user of the platform for; only an operator can do it. */
export interface PlatformUsers {
  /** @returns the unified id of the new user. */
  create(accountId: string, names?: { firstName?: string; lastName?: string }): Promise<string>;
  rename(userId: string, firstName: string): Promise<void>;
  remove(userId: string): Promise<void>;
}

/** How long to wait for what a target sends, in milliseconds. */
export interface Patience {
  /** Within which an event is delivered for the first time. */
  readonly eventMs: number;
  /** Within which a delivery that was not acknowledged is sent again; absent where nobody says. */
  readonly repeatMs?: number;
  /** How long one more is waited for once a later event came, where it is to be seen that none comes: deliveries are not ordered. */
  readonly graceMs: number;
}

/** Where the authorization server is asked. */
export interface AuthorizationServer {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
}

/** What a client assertion is made of, beyond what RFC 7523 leaves no choice in. */
export interface AssertionClient {
  readonly clientId: string;
  readonly privateJwk: JsonWebKey;
  readonly audience: string;
}

/**
 * All that checks may need of a target beyond its base URL. A target has a capability or it has not; a check that needs one which is missing is
 * not testable there, and the report names it. Tokens are access tokens; everything else is ids and numbers as the API writes them.
 */
export interface Capabilities {
  /** Of an identity that may manage `account`, `account.second` and the Experiences below, with all four scopes and the principal claim. */
  token: string;
  /** Of an identity that may read the same and manage none of it, with all scopes. */
  'token.reader': string;
  /** Of an identity that sees none of it, with all scopes. */
  'token.outsider': string;
  /** Of another credential that may do what `token` may. */
  'token.second-credential': string;
  /** Takes a token of a credential that may do what `token` may and was not used yet; never the same twice. */
  'token.unused-credential': () => Promise<string>;
  /** As `token`, but lacking one scope. */
  'token.without-scope': Readonly<Record<Scope, string>>;
  /** As `token`, but without the principal claim. */
  'token.without-claim': string;
  /** As `token`, but lacking both the principal claim and the scope users:manage. */
  'token.without-claim-and-scope': string;
  'token.expired': string;
  /** The suite may create, change and delete what is its own. */
  write: true;
  /** The suite may send several hundred requests in one second. */
  rate: true;
  account: string;
  /**
   * These four need no knowledge, and are always there: `account` and what else is known, or else what is well formed and nobody has. For calls that
   * only have to be answered with success before a change to them is refused. See `unlessUnknown`: the lists of an unknown account may be refused, too.
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
  /** This and the next three are connected to `account` and `account.second` where the target wants that of an assignment. */
  experience: string;
  'experience.second': string;
  /** Of type AGENT, both. */
  'experience.agent': string;
  'experience.second-agent': string;
  /** One that the caller of `token` may read and not check. */
  'experience.read-only': string;
  /** One that exists and that the caller has no access to. */
  'experience.hidden': string;
  /** Takes an Experience that is connected to neither `account` nor `account.second`; not one of the last two taken. */
  'experiences.unconnected': () => Promise<string>;
  /** Takes a telephone number of `account` that is assigned to nothing; never the same twice. */
  numbers: () => Promise<string>;
  /** A telephone number of `account.second`. */
  'number.second-account': string;
  /** Takes a user of `account` that nothing is assigned to; never the same twice. */
  users: () => Promise<string>;
  /** A user that exists and that `token` may not view. */
  'user.hidden': string;
  'user.base62': NativeUser;
  'user.legacy-numeric': NativeUser;
  'user.ambiguous': AmbiguousUser;
  /** More than 100 targets of `account`, assigned to one Experience of their own: how a default page shows. */
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
  /** Subscribes to events of whatever Experience of the provider, or of one. */
  subscriptions: Subscriptions;
  /** A subscription to all types of all Experiences of the provider, which is there already. */
  subscription: SharedSubscription;
  /** How long to wait for events. */
  'events.patience': Patience;
  /** Within how many milliseconds a delivery that was not acknowledged is sent again. */
  'events.repeats': number;
  /** Deliveries can be received by https: where the suite listens itself (own), or at a public address that passes them on. */
  'events.tls': 'own' | 'public';
  /** Sees that deliveries come to the address. @returns why they do not, in words */
  'events.reach': (url: string) => Promise<string | undefined>;
  /** Whether nothing is left to be sent to the subscription; only for waiting no longer than needed. */
  'events.idle': (subscriptionId: string) => Promise<boolean>;
  /** The clock that `timestamp` follows, in milliseconds since 1970. */
  'events.now': () => Promise<number>;
  /** The clock that `webhook-timestamp` follows, in milliseconds since 1970. */
  'events.sent-now': () => Promise<number>;
  'experience.facts': (experienceId: string) => Promise<ExperienceFacts>;
  /** Where the authorization server is asked. @param baseUrl of the check: what stands before a kit stands before this, too. */
  'oauth.server': (baseUrl: string) => AuthorizationServer;
  'oauth.secret-client': { readonly clientId: string; readonly secret: string; readonly redirectUri: string };
  /** `secret`: what it may authenticate with instead, if it may. */
  'oauth.key-client': AssertionClient & { readonly redirectUri: string; readonly secret?: string };
  /** The telephone number of a user who may manage `account`. */
  'oauth.login-hint': string;
  /** That user approves, or denies. */
  'oauth.approve': Visit;
  'oauth.deny': Visit;
  /** Moves the target's time forward by milliseconds; never more than a few hours in a run. */
  'clock.advance': (ms: number) => Promise<void>;
}

export type Capability = keyof Capabilities;

/** The actions of the operator of the target and of its end users, in a portal or on the platform. */
export type Elsewhere = Pick<Capabilities, Extract<Capability, `portal.${string}` | `platform.${string}`>>;
