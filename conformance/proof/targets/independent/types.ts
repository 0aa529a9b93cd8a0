import type { KeyObject } from 'node:crypto';

export type TargetType = 'ACCOUNT' | 'PHONE_NUMBER' | 'USER';
export type ConnectionState = 'ACTIVE' | 'INACTIVE';
export type Permission = 'none' | 'read' | 'manage';

export interface Account {
  id: string;
  name: string;
}
export interface TelephoneNumber {
  number: string;
  accountId: string;
}
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

export interface Principal {
  id: string;
  /** The permission on Experiences and accounts that have no entry. */
  default: Permission;
  experience: Map<string, Permission>;
  account: Map<string, Permission>;
}

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
