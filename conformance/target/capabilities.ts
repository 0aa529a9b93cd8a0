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

/** An account and an Experience that a connection joins. There is at most one connection per pair. */
export type Pair = { readonly accountId: string; readonly experienceId: string };

/** The settings that a subscriber chooses (Events › Subscription). */
export interface NewSubscription {
  readonly destinationUrl: string;
  readonly experienceId?: string | undefined;
  readonly types: readonly EventType[];
}

/**
 * How an operator, or an end user in a portal, creates and removes entities. `create` returns the id of the entity. The id of a telephone
 * number is the number itself.
 */
export interface EntityActions<Arguments extends readonly unknown[]> {
  create(...args: Arguments): Promise<string>;
  remove(id: string): Promise<void>;
}

/** Creates connections. A portal or a platform that cannot choose the state of a new connection ignores `state`. Default: INACTIVE. */
export interface ConnectionActions extends EntityActions<[pair: Pair, state?: 'ACTIVE' | 'INACTIVE']> {
  update(connectionId: string, state: 'ACTIVE' | 'INACTIVE'): Promise<void>;
}

/** Creates, renames and removes users on the platform. All ids are unified ids. */
export interface PlatformUsers extends EntityActions<[accountId: string, names?: { firstName?: string; lastName?: string }]> {
  rename(userId: string, firstName: string): Promise<void>;
}

/** How long to wait for deliveries of a target, in milliseconds. */
export interface Patience {
  /** How long after an event to wait for its first delivery. */
  readonly eventMs: number;
  /** How long to wait for an event that must not come, after a later event has arrived: deliveries are not ordered. */
  readonly graceMs: number;
}

export interface AuthorizationServer {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
}

/**
 * Everything that checks may need of a target beyond its base URL. Checks whose capabilities are missing are not testable, and the report
 * names the capabilities. Tokens are access tokens. Ids and telephone numbers have the format of the API.
 */
export interface Capabilities {
  /** May manage `account`, `account.second` and the Experiences below. With all four scopes and the principal claim. */
  token: string;
  /** May read everything that `token` may manage, and may manage nothing. With all scopes. */
  'token.reader': string;
  /** May not read anything that `token` may manage. With all scopes. */
  'token.outsider': string;
  /** Has the permissions of `token`, but was issued to another client. */
  'token.second-credential': string;
  /** Returns a token with the permissions of `token` that was issued to a new client, so that no request has used its rate limit. */
  'token.unused-credential': () => Promise<string>;
  /** By scope: a token like `token`, but without this scope. */
  'token.without-scope': Readonly<Record<Scope, string>>;
  /** Like `token`, but without the principal claim. */
  'token.without-claim': string;
  /** Like `token`, but without the principal claim and without the scope users:manage. */
  'token.without-claim-and-scope': string;
  'token.expired': string;
  /** The suite may create entities, and change and delete those that it created. */
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
   * The four `.any` capabilities are always available: an existing id if the target has one, or a well-formed id that does not exist. They
   * are for checks of invalid calls. A check compares an invalid call with a valid one, in which a target may refuse an unknown id.
   */
  'account.any': string;
  'experience.any': string;
  'number.any': string;
  'user.any': string;
  /** This Experience and the next three are connected to `account` and `account.second` if the target requires that for assignments. */
  experience: string;
  'experience.second': string;
  /** This Experience and the next are of type AGENT. */
  'experience.agent': string;
  'experience.second-agent': string;
  /** An Experience that `token` may read, but for which it may not check assignability. */
  'experience.read-only': string;
  /** An Experience that exists and that `token` may not view. */
  'experience.hidden': string;
  /** Returns an Experience without a connection to `account` and `account.second`, other than those of the last two calls. */
  'experiences.unconnected': () => Promise<string>;
  /** Returns a telephone number of `account` without assignments, a different one for each call. */
  numbers: () => Promise<string>;
  /** A telephone number of `account.second`. */
  'number.second-account': string;
  /** Returns a user of `account` without assignments, a different one for each call. */
  users: () => Promise<string>;
  /** A user that exists and that `token` may not view. */
  'user.hidden': string;
  'user.base62': NativeUser;
  'user.legacy-numeric': NativeUser;
  'user.ambiguous': NonNullable<Part<'users'>['ambiguous']>;
  /** An Experience with more than 100 assignments to targets of an account, so that they do not fit in a page of the default size. */
  'assignments.many': Part<'manyAssignments'>;
  /** The body that creates a connection, which the specification does not define. Placeholders: `accountId`, `experienceId`, `state`. */
  'bodies.connectionCreate': BodyTemplate;
  /** The body that updates a connection, which the specification does not define. Placeholder: `state`. */
  'bodies.connectionUpdate': BodyTemplate;
  /** The fields and directions by which the users list can be sorted, which the specification does not define. */
  'users.sort': NonNullable<Part<'users'>['sort']>;
  /** Within how many milliseconds the users list shows a change of a user. */
  'users.read-model-bound': number;
  /** Within how many milliseconds the lists of assignments and connections show a change. If it is missing, they show it at once. */
  'lists.bound': number;
  /** Makes the next call of the operation that has the parameters fail with the status. */
  'fault.users': (operation: 'getUsers' | 'getUser', status: 429 | 500, parameters: Readonly<Record<string, string>>) => Promise<void>;
  /** Makes the authorization service unreachable for the next call of the operation that has the parameters. The target has to answer the call. */
  'fault.authorization': (operation: 'getUsers' | 'getUser', parameters: Readonly<Record<string, string>>) => Promise<void>;
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
  /** Within how many milliseconds an event is delivered. If the target does not state it, a missing event breaks no rule. */
  'events.delivered-within': number;
  /** Within how many milliseconds a delivery that was not acknowledged is repeated. */
  'events.repeats': number;
  /** Available if the suite can receive https deliveries: at its own port (own), or through a public address (public). */
  'events.tls': 'own' | 'public';
  /** Makes the target deliver to the URL. @returns why the delivery does not arrive; undefined if it arrives */
  'events.reach': (url: string) => Promise<string | undefined>;
  /** Whether no delivery to the subscription is pending, so that a check need not wait for one. */
  'events.idle': (subscriptionId: string) => Promise<boolean>;
  /** Reads the clock from which `timestamp` of events is taken, in milliseconds since 1970. */
  'events.now': () => Promise<number>;
  /** Reads the clock from which the header `webhook-timestamp` is taken, in milliseconds since 1970. */
  'events.sent-now': () => Promise<number>;
  /** The members of an Experience that events contain besides its id. */
  'experience.facts': (experienceId: string) => Promise<NonNullable<Part<'experiences'>['facts']>[string]>;
  /** @param baseUrl to which the check sends its requests. A proxy in front of a kit is also in front of the kit's authorization server. */
  'oauth.server': (baseUrl: string) => AuthorizationServer;
  'oauth.secret-client': NonNullable<Part<'authorization'>['secretClient']>;
  'oauth.key-client': NonNullable<Part<'authorization'>['keyClient']>;
  /** The telephone number of a user who may manage `account`. */
  'oauth.login-hint': string;
  /** Logs in as the user of `oauth.login-hint`, who approves the request. */
  'oauth.approve': Visit;
  /** Logs in as a user who denies the request. */
  'oauth.deny': Visit;
  /** After how many milliseconds a code has expired, if the target states that. */
  'oauth.code-lifetime': number;
  /** Lets milliseconds pass for the target: moves its clock forward, or waits. */
  'clock.wait': (ms: number) => Promise<void>;
  /** Moves the target's clock forward by milliseconds. In one run the clock moves by a few hours at most. */
  'clock.advance': (ms: number) => Promise<void>;
}

export type Capability = keyof Capabilities;

/** The capabilities by which the target's operator and end users change entities outside the API: in a portal or on the platform. */
export type Elsewhere = Pick<Capabilities, Extract<Capability, `portal.${string}` | `platform.${string}`>>;
