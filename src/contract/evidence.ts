import type { components } from './generated/control.ts';

export type LevelName = 'none' | 'read' | 'manage';

/** The levels at the time of the request. A level that does not count is left out: a token without a principal has no level on the account. */
export interface Levels {
  readonly experienceId?: string;
  /** Of the asking provider, on the Experience. */
  readonly providerLevel?: LevelName;
  readonly accountId?: string;
  /** Of the token's principal, on the account. */
  readonly principalLevel?: LevelName;
  /** The lower of the two. */
  readonly effectiveLevel: LevelName;
}

/** The kind of entity that a request names by its id or number. */
export type Named = 'account' | 'assignment' | 'connection' | 'experience' | 'telephone number' | 'user';
export type Listed = 'assignments' | 'connections' | 'users';

export interface ListFilters {
  readonly accountId?: string | undefined;
  readonly experienceId?: string | undefined;
  readonly targetType?: 'ACCOUNT' | 'PHONE_NUMBER' | 'USER' | undefined;
  readonly targetValue?: string | undefined;
}

/** The readable claims of an access token, valid or not. It never contains the token itself. */
export interface TokenFacts {
  readonly clientId?: string;
  readonly principalId?: string;
  readonly scopes?: readonly string[];
  /** ISO 8601. */
  readonly expiresAt?: string;
  readonly validFrom?: string;
}

export type TokenProblem =
  | 'missing'
  /** The Authorization header has another scheme than Bearer, or no token. */
  | 'not bearer'
  | 'invalid'
  | 'expired'
  | 'unknown client'
  | 'unknown principal'
  | 'no principal'
  | 'no scope'
  | 'no principal and no scope';

/**
 * The state that a response is based on, as it was at the time of the request. The journal keeps it for explanations; no response contains it. It is
 * collected only if a request is refused or its result is empty.
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
      /** The list that it was issued for, if it is a cursor. */
      readonly issuedFor?: string;
    }
  /** The filters of a list without entities. The reason is only looked up when an explanation is requested. */
  | ({ readonly cause: 'empty list'; readonly of: Listed } & ListFilters)
  | {
      readonly cause: 'rate';
      /** Of requests in one second of kit time. */
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
  /** Undefined if the request was refused before it was looked up. */
  readonly providerId: string | undefined;
  readonly scopes: readonly string[];
}
