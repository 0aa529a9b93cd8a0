import type { components } from './generated/control.ts';

export type LevelName = 'none' | 'read' | 'manage';

/** The levels of access at the time of the request. Without a principal in the token, for example, there is no `principalLevel`. */
export interface Levels {
  readonly experienceId?: string;
  /** The level of the provider that sent the request, on the Experience. */
  readonly providerLevel?: LevelName;
  readonly accountId?: string;
  /** The level of the token's principal, on the account. */
  readonly principalLevel?: LevelName;
  /** The lower of `providerLevel` and `principalLevel`. */
  readonly effectiveLevel: LevelName;
}

/** The kind of entity that a request names by an id or a telephone number. */
export type Named = 'account' | 'assignment' | 'connection' | 'experience' | 'telephone number' | 'user';
export type Listed = 'assignments' | 'connections' | 'users';

export interface ListFilters {
  readonly accountId?: string | undefined;
  readonly experienceId?: string | undefined;
  readonly targetType?: 'ACCOUNT' | 'PHONE_NUMBER' | 'USER' | undefined;
  readonly targetValue?: string | undefined;
}

/** The claims of an access token, which may be invalid. They never include the token itself. */
export interface TokenFacts {
  readonly clientId?: string;
  readonly principalId?: string;
  readonly scopes?: readonly string[];
  /** ISO 8601 UTC, as is `validFrom`. */
  readonly expiresAt?: string;
  readonly validFrom?: string;
}

export type TokenProblem =
  | 'missing'
  /** The Authorization header has a scheme other than Bearer, or no token. */
  | 'not bearer'
  | 'invalid'
  | 'expired'
  | 'unknown client'
  | 'unknown principal'
  | 'no principal'
  | 'no scope'
  | 'no principal and no scope';

/**
 * The state that decided a response, as it was at the time of the request. It is collected only if the request is refused or its result is empty. The
 * journal stores it for explanations, and no response contains it.
 */
export type Evidence =
  | { readonly cause: 'token'; readonly problem: TokenProblem; readonly token?: TokenFacts; readonly neededScope?: string }
  | { readonly cause: 'unknown'; readonly what: Named; readonly value: string }
  | { readonly cause: 'id style unsupported'; readonly value: string }
  | ({ readonly cause: 'levels'; readonly needed: 'read' | 'manage'; readonly of?: Named; readonly id?: string } & Levels)
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
      /** The list that the cursor was issued for; undefined if the value is not a cursor. */
      readonly issuedFor?: string;
    }
  /** The filters of a list without entities. Why no entity matches is looked up only when an explanation is requested. */
  | ({ readonly cause: 'empty list'; readonly of: Listed } & ListFilters)
  | {
      readonly cause: 'rate';
      /** The number of requests that are allowed in one second of kit time. */
      readonly limit: number;
      readonly inWindow: number;
      readonly window: string;
      readonly waitMs: number;
      readonly clientId: string;
    }
  | { readonly cause: 'fault'; readonly fault: components['schemas']['Fault'] };

/** Who sent a request, according to its verified token. */
export interface Asker {
  readonly clientId: string;
  readonly principalId: string | undefined;
  /** Undefined if the request was refused before the provider was looked up. */
  readonly providerId: string | undefined;
  readonly scopes: readonly string[];
}
