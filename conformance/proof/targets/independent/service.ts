import type { BreachName } from './breaches.ts';
import { Limiter } from './limiter.ts';
import type {
  Account,
  Assignment,
  Client,
  Connection,
  Experience,
  Permission,
  Principal,
  Subscription,
  TelephoneNumber,
  Token,
  User,
} from './types.ts';

/** The delay, in milliseconds, before a change appears in the users list. */
export const READ_MODEL_LAG = 300;

export interface AuthorizationCode {
  clientId: string;
  redirectUri: string;
  scopes: string[];
  challenge: string;
  expiresAt: number;
}

export interface CursorHandle {
  binding: string;
  last: unknown;
  expiresAt: number;
}

export class Service {
  breach?: BreachName | undefined;
  baseUrl = '';
  authUrl = '';

  readonly accounts = new Map<string, Account>();
  readonly numbers = new Map<string, TelephoneNumber>();
  readonly users = new Map<string, User>();
  readonly userReadModel = new Map<string, User>();
  readonly experiences = new Map<string, Experience>();
  readonly connections = new Map<string, Connection>();
  readonly assignments = new Map<string, Assignment>();
  readonly deletedAssignments = new Set<string>();

  readonly principals = new Map<string, Principal>();
  readonly clients = new Map<string, Client>();
  readonly codes = new Map<string, AuthorizationCode>();
  readonly tokens = new Map<string, Token>();
  readonly refreshTokens = new Map<string, Token>();
  readonly usedAssertions = new Set<string>();
  readonly cursors = new Map<string, CursorHandle>();
  readonly subscriptions = new Map<string, Subscription>();

  readonly assignabilityLimiter = new Limiter(10, 100);
  readonly usersLimiter = new Limiter(300, 300);
  readonly faults = { authorizationUnreachable: false, usersStoreFails: false, usersLimited: false };

  readonly #closing = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();
  #creationCount = 0;

  takeNextCreationNumber(): number {
    return ++this.#creationCount;
  }

  /** Runs the function after a delay, unless the service is closed first. */
  runLater(milliseconds: number, run: () => void): void {
    if (this.closing.aborted) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, milliseconds);
    this.#timers.add(timer);
  }

  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  close(): void {
    this.#closing.abort();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** If both are given, returns the lower permission. */
  getPermission(principalId: string, entityIds: { experienceId?: string; accountId?: string }): Permission {
    const principal = this.principals.get(principalId);
    if (principal === undefined) return 'none';
    const found: Permission[] = [];
    if (entityIds.experienceId !== undefined) found.push(principal.experience.get(entityIds.experienceId) ?? principal.default);
    if (entityIds.accountId !== undefined) found.push(principal.account.get(entityIds.accountId) ?? principal.default);
    if (found.includes('none')) return 'none';
    return found.includes('read') ? 'read' : 'manage';
  }
}
