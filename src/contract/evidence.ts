import type { components } from './generated/control.ts';

export type LevelName = 'none' | 'read' | 'manage';

/** The access levels at the time of the request. A level that does not apply is undefined. */
export interface AccessLevels {
  readonly experienceId?: string;
  readonly providerLevel?: LevelName;
  readonly accountId?: string;
  readonly principalLevel?: LevelName;
  /** The lower of `providerLevel` and `principalLevel`. */
  readonly effectiveLevel: LevelName;
}

export type NamedEntityKind = 'account' | 'assignment' | 'connection' | 'experience' | 'telephone number' | 'user';
type ListedCollection = 'assignments' | 'connections' | 'users';

export interface ListFilters {
  readonly accountId?: string | undefined;
  readonly experienceId?: string | undefined;
  readonly targetType?: 'ACCOUNT' | 'PHONE_NUMBER' | 'USER' | undefined;
  readonly targetValue?: string | undefined;
}

export interface TokenFacts {
  readonly clientId?: string;
  readonly principalId?: string;
  readonly scopes?: readonly string[];
  /** Times are ISO 8601 strings in UTC. */
  readonly expiresAt?: string;
  readonly validFrom?: string;
}

export type TokenProblem =
  | 'missing'
  /** The Authorization header has a scheme other than Bearer, or has no token. */
  | 'not bearer'
  | 'invalid'
  | 'expired'
  | 'unknown client'
  | 'unknown principal'
  | 'no principal'
  | 'no scope'
  | 'no principal and no scope';

/** The state that determined a response. The journal stores evidence for explanations, but no response contains it. */
export type Evidence =
  | { readonly cause: 'token'; readonly problem: TokenProblem; readonly token?: TokenFacts; readonly neededScope?: string }
  | { readonly cause: 'unknown'; readonly what: NamedEntityKind; readonly value: string }
  | { readonly cause: 'id style unsupported'; readonly value: string }
  | ({ readonly cause: 'levels'; readonly needed: 'read' | 'manage'; readonly of?: NamedEntityKind; readonly id?: string } & AccessLevels)
  | { readonly cause: 'already assigned'; readonly assignmentId: string; readonly experienceId: string }
  | {
      readonly cause: 'AGENT assignment';
      readonly assignments: readonly { readonly assignmentId: string; readonly experienceId: string }[];
    }
  | { readonly cause: 'no connection'; readonly accountId: string; readonly experienceId: string }
  | { readonly cause: 'connection exists'; readonly connectionId: string }
  | { readonly cause: 'present state'; readonly connectionId: string; readonly state: string; readonly updatedAt: string }
  | {
      readonly cause: 'numbers assigned';
      readonly connectionId: string;
      readonly assignments: readonly { readonly assignmentId: string; readonly number: string }[];
    }
  | {
      readonly cause: 'cursor';
      readonly problem: 'malformed' | 'other list' | 'at the end';
      /** The list for which the cursor was issued. Undefined if the value is not a cursor. */
      readonly issuedFor?: string;
    }
  | ({ readonly cause: 'empty list'; readonly of: ListedCollection } & ListFilters)
  | {
      readonly cause: 'rate';
      /** The number of requests allowed in one second of kit time. */
      readonly limit: number;
      readonly inWindow: number;
      readonly window: string;
      readonly waitMs: number;
      readonly clientId: string;
    }
  | { readonly cause: 'preference'; readonly status: number }
  | { readonly cause: 'fault'; readonly fault: components['schemas']['Fault'] };

export interface RequestSender {
  readonly clientId: string;
  readonly principalId: string | undefined;
  /** Undefined if the request was refused before the provider was looked up. */
  readonly providerId: string | undefined;
  readonly scopes: readonly string[];
}
