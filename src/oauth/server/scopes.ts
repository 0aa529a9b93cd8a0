import { errors } from 'oidc-provider';
import type { components } from '../../contract/generated/control.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';

type Scope = components['schemas']['Scope'];

/** All scopes, each with its description for the user. The type makes the compiler report a missing scope. */
export const SCOPES: Readonly<Record<Scope, string>> = {
  'experience-connections:manage': 'See and change which experiences your accounts are connected to',
  'experience-assignments:manage': 'See and change which numbers, users and accounts experiences are assigned to',
  'experience-assignability:check': 'Check whether an experience can be assigned to a number, a user or an account',
  'users:manage': 'See the users of your accounts',
  offline_access: 'Keep this access while you are away',
};

/** The scope with which a client requests a refresh token. All other scopes allow operations of the API. */
export const OFFLINE_ACCESS = 'offline_access' satisfies Scope;

export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);

/** Returns the scopes without offline_access. */
export const operationScopes = (scopes: Iterable<string>): string[] => [...scopes].filter((scope) => scope !== OFFLINE_ACCESS);

const ALL = Object.keys(SCOPES).join(' ');

const invalidScope = (description: string) => new errors.CustomOIDCProviderError('invalid_scope', description);

/** Parses a list of scopes and removes duplicates (decision oauth.unknown-scope). @throws the OAuth error invalid_scope */
export function parseScopes(text: string, decisions: Decisions): Scope[] {
  const requested = [...new Set(text.split(' '))];
  const scopes = requested.filter(isScope);
  if (scopes.length === 0 || (scopes.length < requested.length && decisions['oauth.unknown-scope'] === 'refused')) {
    throw invalidScope(`A requested scope is unknown. Separate the scopes with single spaces. The scopes are: ${ALL}.`);
  }
  return scopes;
}

/** Returns the scopes that a client gets if the user approves the request. @throws the OAuth error invalid_scope */
export function decideScopes(text: unknown, decisions: Decisions): Scope[] {
  if (typeof text !== 'string' || text === '') throw invalidScope(`The parameter scope is missing. The scopes are: ${ALL}.`);
  const scopes = parseScopes(text, decisions);
  const isAlone = !scopes.includes('experience-connections:manage') || !scopes.includes('experience-assignments:manage');
  if (decisions['oauth.offline-access-alone'] === 'refused' && scopes.includes(OFFLINE_ACCESS) && isAlone) {
    throw invalidScope('offline_access must be requested with experience-connections:manage and experience-assignments:manage.');
  }
  if (decisions['oauth.refresh'] !== 'none') return scopes;
  // If a decision disables refresh tokens, offline_access is not granted.
  const granted = scopes.filter((scope) => scope !== OFFLINE_ACCESS);
  if (granted.length === 0) throw invalidScope('offline_access cannot be requested alone: this server issues no refresh tokens.');
  return granted;
}
