import type { components } from '../../contract/generated/control.ts';

export type Scope = components['schemas']['Scope'];

export const SCOPES: Readonly<Record<Scope, string>> = {
  'experience-connections:manage': 'See and change the experiences to which your accounts are connected',
  'experience-assignments:manage': 'See and change the numbers, users and accounts to which experiences are assigned',
  'experience-assignability:check': 'Check whether an experience can be assigned to a number, a user or an account',
  'users:manage': 'See the users of your accounts',
  offline_access: 'Keep this access while you are away',
};

export const OFFLINE_ACCESS = 'offline_access' satisfies Scope;

export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);

export const removeOfflineAccess = (scopes: Iterable<string>): string[] => [...scopes].filter((scope) => scope !== OFFLINE_ACCESS);
