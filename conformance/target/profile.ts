import type { JsonWebKey } from 'node:crypto';
import type { AmbiguousUser, NativeUser, Scope, UsersSort } from './capabilities.ts';
import type { ExperienceFacts } from './capabilities-of-events.ts';
import type { BodyTemplate } from './template.ts';

/** The authorization server and two of its clients. */
export interface ProfileAuthorization {
  /** {auth_url}, without /authorize and /oauth/token. */
  readonly url?: string;
  readonly secretClient?: { readonly id: string; readonly secret: string; readonly redirectUri: string };
  /** `secret`: if it can also authenticate with a secret. */
  readonly keyClient?: {
    readonly id: string;
    readonly privateKey: JsonWebKey;
    readonly audience: string;
    readonly redirectUri: string;
    readonly secret?: string;
  };
  readonly loginHint?: string;
  /** Who approves: a person, with --interactive, or the server itself. */
  readonly approve?: 'interactive' | 'automatic';
}

/** Where the suite receives deliveries, and when. */
export interface ProfileEvents {
  /** A file has to give it; a generated profile leaves it out and the suite listens at any free port of this machine. */
  readonly receiver?: {
    /** How the target reaches the receiver. A proxy at this address forwards everything to `listen`. */
    readonly publicUrl: string;
    /** host:port on this machine. */
    readonly listen: string;
  };
  /** A subscription that the operator created: all types, no experienceId, a destinationUrl below publicUrl. */
  readonly subscription?: { readonly id: string; readonly path: string };
  /** Within how many seconds an event is delivered. */
  readonly patienceSeconds?: number;
  /** How many seconds longer to wait for an event that must not come. */
  readonly graceSeconds?: number;
  /** Within how many seconds a delivery that was not acknowledged is repeated. */
  readonly repeatsWithinSeconds?: number | undefined;
}

/** The part of a profile that gives capabilities. Every member is optional; without it, the checks that need it are not testable. */
export interface ProfileResources {
  readonly tokens?: {
    readonly full?: string;
    readonly reader?: string;
    readonly outsider?: string;
    readonly secondCredential?: string;
    readonly withoutScope?: Readonly<Partial<Record<Scope, string>>>;
    readonly withoutClaim?: string;
    readonly withoutClaimAndScope?: string;
    readonly expired?: string;
  };
  /** What the suite may do. Default: nothing. */
  readonly allow?: { readonly write?: boolean; readonly rate?: boolean };
  readonly accounts?: {
    readonly main?: string;
    readonly second?: string;
    readonly hidden?: string;
    readonly manyUsers?: string;
    readonly manyConnections?: string;
  };
  /** See BodyTemplate; the values are accountId, experienceId and state. */
  readonly bodies?: { readonly connectionCreate?: BodyTemplate; readonly connectionUpdate?: BodyTemplate };
  readonly experiences?: {
    readonly main?: string;
    readonly second?: string;
    readonly agent?: string;
    readonly secondAgent?: string;
    readonly readOnly?: string;
    readonly hidden?: string;
    /** At least three, without connections to the main and the second account. Each check takes its own. */
    readonly unconnected?: readonly string[];
    /** By the id of the Experience. */
    readonly facts?: Readonly<Record<string, ExperienceFacts>>;
  };
  /** Telephone numbers of the main account without assignments. Each check takes its own. */
  readonly freeNumbers?: readonly string[];
  readonly numberOfSecondAccount?: string;
  /** An Experience with more than 100 assignments to targets of an account. */
  readonly manyAssignments?: { readonly accountId: string; readonly experienceId: string; readonly count: number };
  /** Users of the main account without assignments. Each check takes its own. */
  readonly freeUsers?: readonly string[];
  readonly authorization?: ProfileAuthorization;
  readonly events?: ProfileEvents;
  readonly users?: {
    readonly hidden?: string;
    readonly base62?: NativeUser;
    readonly legacyNumeric?: NativeUser;
    readonly ambiguous?: AmbiguousUser;
    readonly sort?: UsersSort;
    /** Within how many milliseconds the list shows a change. */
    readonly readModelBoundMs?: number;
  };
}

/** A value, or how it is created when a check first needs it. */
export type Lazy<T> = T | (() => Promise<T>);

type LazyMembers<T> = { readonly [Member in keyof T]?: Lazy<NonNullable<T[Member]>> | undefined };
type LazyPart = 'tokens' | 'accounts' | 'users' | 'authorization';
type LazyValue = 'numberOfSecondAccount' | 'manyAssignments';
type Listed = Pick<NonNullable<ProfileResources['experiences']>, 'unconnected' | 'facts'>;

/** What the suite knows of a target: a profile from a file or a generated one, whose members are created when they are needed. */
export type TargetProfile = Omit<ProfileResources, LazyPart | LazyValue | 'experiences' | 'authorization'> & {
  readonly [Part in Exclude<LazyPart, 'authorization'>]?: LazyMembers<NonNullable<ProfileResources[Part]>>;
} & LazyMembers<Pick<ProfileResources, LazyValue>> & {
    readonly experiences?: LazyMembers<Omit<NonNullable<ProfileResources['experiences']>, keyof Listed>> & Listed;
    readonly authorization?: LazyMembers<Omit<ProfileAuthorization, 'url' | 'approve'>> & Pick<ProfileAuthorization, 'url' | 'approve'>;
  };
