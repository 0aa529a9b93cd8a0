import { errors } from 'oidc-provider';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { isScope, OFFLINE_ACCESS, SCOPES, type Scope } from './scopes.ts';

const ALL_SCOPES_TEXT = Object.keys(SCOPES).join(' ');

const createInvalidScope = (description: string) => new errors.CustomOIDCProviderError('invalid_scope', description);

/** @throws the OAuth error invalid_scope */
export function parseScopes(text: string, decisions: Decisions): Scope[] {
  const requested = [...new Set(text.split(' '))];
  const scopes = requested.filter(isScope);
  if (scopes.length === 0 || (scopes.length < requested.length && decisions['oauth.unknown-scope'] === 'refused')) {
    throw createInvalidScope(`A requested scope is unknown. Separate the scopes with single spaces. The scopes are: ${ALL_SCOPES_TEXT}.`);
  }
  return scopes;
}

/** @throws the OAuth error invalid_scope */
export function decideScopes(text: unknown, decisions: Decisions): Scope[] {
  if (typeof text !== 'string' || text === '')
    throw createInvalidScope(`The parameter scope is missing. The scopes are: ${ALL_SCOPES_TEXT}.`);
  const scopes = parseScopes(text, decisions);
  const isAlone = !scopes.includes('experience-connections:manage') || !scopes.includes('experience-assignments:manage');
  if (decisions['oauth.offline-access-alone'] === 'refused' && scopes.includes(OFFLINE_ACCESS) && isAlone) {
    throw createInvalidScope('offline_access must be requested with experience-connections:manage and experience-assignments:manage.');
  }
  if (decisions['oauth.refresh'] !== 'none') return scopes;
  const granted = scopes.filter((scope) => scope !== OFFLINE_ACCESS);
  if (granted.length === 0) throw createInvalidScope('offline_access cannot be requested alone: this server issues no refresh tokens.');
  return granted;
}
