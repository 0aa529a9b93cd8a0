import type { components } from './generated/control.ts';

/** How far somebody may go. */
export type LevelName = 'none' | 'read' | 'manage';

/** Both sides of an access, as they were. A side that did not count is left out: a token without a principal is judged by the provider's alone. */
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

/** What an id, or a number, was looked up as. */
export type Named = 'account' | 'assignment' | 'connection' | 'experience' | 'telephone number' | 'user';
export type Listed = 'assignments' | 'connections' | 'users';

export interface ListFilters {
  readonly accountId?: string | undefined;
  readonly experienceId?: string | undefined;
  readonly targetType?: 'ACCOUNT' | 'PHONE_NUMBER' | 'USER' | undefined;
  readonly targetValue?: string | undefined;
}

/** What could be read of an access token, good or not: never the token itself. Absent members could not be read. */
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
  /** There is an Authorization header, and no token behind the scheme Bearer in it. */
  | 'not bearer'
  | 'invalid'
  | 'expired'
  | 'unknown client'
  | 'unknown principal'
  | 'no principal'
  | 'no scope'
  | 'no principal and no scope';

/**
 * The state that a request was judged on, as it was at that moment: kept for whoever asks why, never in an answer. It is collected where something is
 * refused or a list is empty, and nowhere else.
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
      /** What it was issued for, where it is one. */
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

/** Who asked, by a token that was verified. */
export interface Asker {
  readonly clientId: string;
  readonly principalId: string | undefined;
  /** Absent where the request was refused before it was looked up. */
  readonly providerId: string | undefined;
  readonly scopes: readonly string[];
}
