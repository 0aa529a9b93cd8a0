import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createLimiter } from './limiter.ts';

export type TargetType = 'ACCOUNT' | 'PHONE_NUMBER' | 'USER';
export type ConnectionState = 'ACTIVE' | 'INACTIVE';
export type Permission = 'none' | 'read' | 'manage';

export interface Experience {
  id: string;
  name: string;
  type: string;
  providerId: string;
}

export interface User {
  id: string;
  accountId: string;
  firstName?: string;
  lastName?: string;
  createdAt: string;
  updatedAt: string | null;
  nativeIds: string[];
}

export interface Connection {
  id: string;
  accountId: string;
  experienceId: string;
  state: ConnectionState;
  updatedAt: string;
  creationNumber: number;
}

export interface Assignment {
  id: string;
  experienceId: string;
  accountId: string;
  targetType: TargetType;
  targetValue: string;
  updatedAt: string;
  creationNumber: number;
}

interface Principal {
  /** The permission on Experiences and accounts that have no entry. */
  default: Permission;
  experience: ReadonlyMap<string, Permission>;
  account: ReadonlyMap<string, Permission>;
}

/** A client with a public key must use assertions instead of a secret. */
export interface Client {
  id: string;
  secret?: string;
  publicKey?: KeyObject;
  redirectUris: string[];
  principalId: string;
}

export interface Token {
  clientId: string;
  principalId: string;
  scopes: Set<string>;
  /** Whether the token contains the principal claim. The principal's permissions apply even without the claim. */
  principalClaim: boolean;
  expiresAt: number;
}

interface AuthorizationCode {
  clientId: string;
  redirectUri: string;
  scopes: string[];
  challenge: string;
  expiresAt: number;
}

export interface Subscription {
  id: string;
  destinationUrl: string;
  experienceId?: string;
  types: string[];
  acknowledged: number;
}

export interface Reply {
  status: number;
  body?: object;
  headers?: Record<string, string>;
}

/** One request to the API. */
export interface Call {
  service: Service;
  token: Token;
  /** The id in the path, or ''. */
  id: string;
  query: URLSearchParams;
  text: string;
  isFlatPath: boolean;
}

/** Ignores the letter case of a UUID. @throws Error if there is no such item */
export function findItem<Item>(items: ReadonlyMap<string, Item>, id: string): Item {
  const item = items.get(id) ?? items.get(id.toLowerCase());
  if (item === undefined) throw new Error(`There is no ${id}.`);
  return item;
}

export class Service {
  baseUrl = '';
  authUrl = '';

  readonly accounts = new Map<string, { id: string; name: string }>();
  readonly numbers = new Map<string, { number: string; accountId: string }>();
  readonly users = new Map<string, User>();
  readonly userReadModel = new Map<string, User>();
  readonly experiences = new Map<string, Experience>();
  readonly connections = new Map<string, Connection>();
  readonly assignments = new Map<string, Assignment>();

  readonly principals = new Map<string, Principal>();
  readonly clients = new Map<string, Client>();
  readonly codes = new Map<string, AuthorizationCode>();
  readonly tokens = new Map<string, Token>();
  readonly usedAssertions = new Set<string>();
  readonly cursors = new Map<string, { binding: string; last: unknown; expiresAt: number }>();
  readonly subscriptions = new Map<string, Subscription>();

  readonly takeAssignabilityCheck = createLimiter(10, 100);
  readonly faults = { authorizationUnreachable: false, usersStoreFails: false, usersLimited: false };

  readonly closing = new AbortController();
  creationCount = 0;

  /** Runs the function after a delay, unless the service is closed first. */
  runLater(milliseconds: number, run: () => void): void {
    pause(milliseconds, undefined, { signal: this.closing.signal }).then(run, () => {});
  }

  /** If both ids are given, returns the lower permission. */
  getPermission(principalId: string, { experienceId, accountId }: { experienceId?: string; accountId?: string }): Permission {
    const principal = this.principals.get(principalId);
    if (principal === undefined) return 'none';
    const found: Permission[] = [];
    if (experienceId !== undefined) found.push(principal.experience.get(experienceId) ?? principal.default);
    if (accountId !== undefined) found.push(principal.account.get(accountId) ?? principal.default);
    return (['none', 'read'] as const).find((permission) => found.includes(permission)) ?? 'manage';
  }
}
