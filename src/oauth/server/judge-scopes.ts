import type { Decisions } from '../../contract/generated/decisions.ts';
import type { OAuthError } from './oauth-error.ts';
import { isScope, OFFLINE_ACCESS, SCOPES, type Scope } from './scopes.ts';

const invalidScope = (description: string): OAuthError => ({ status: 400, error: 'invalid_scope', description });

/** The scopes of a request, each once, or why they are refused (decision oauth.unknown-scope). */
export function judgeScopes(text: string, decisions: Decisions): Scope[] | OAuthError {
  const asked = [...new Set(text.split(' '))];
  const scopes = asked.filter(isScope);
  if (scopes.length < asked.length && decisions['oauth.unknown-scope'] === 'refused') {
    return invalidScope(`A scope that was asked for is unknown. There are, with one space between them: ${Object.keys(SCOPES).join(' ')}.`);
  }
  if (scopes.length === 0)
    return invalidScope(`None of the scopes that were asked for is known. There are: ${Object.keys(SCOPES).join(' ')}.`);
  return scopes;
}

/** The scopes of an authorization request: what will be granted if the user approves. */
export function judgeRequestedScopes(text: string | undefined, decisions: Decisions): Scope[] | OAuthError {
  if (text === undefined || text === '')
    return invalidScope(`The parameter scope is missing. There are: ${Object.keys(SCOPES).join(' ')}.`);
  const scopes = judgeScopes(text, decisions);
  if (!Array.isArray(scopes)) return scopes;
  if (scopes.includes(OFFLINE_ACCESS) && decisions['oauth.offline-access-alone'] === 'refused' && !goesWithOfflineAccess(scopes)) {
    return invalidScope('offline_access is requested with experience-connections:manage and experience-assignments:manage.');
  }
  if (decisions['oauth.refresh'] !== 'none') return scopes;
  // Where there are no refresh tokens, nobody is told that offline_access was granted.
  const granted = scopes.filter((scope) => scope !== OFFLINE_ACCESS);
  return granted.length > 0 ? granted : invalidScope('offline_access alone gives nothing here: there are no refresh tokens.');
}

const goesWithOfflineAccess = (scopes: readonly Scope[]): boolean =>
  scopes.includes('experience-connections:manage') && scopes.includes('experience-assignments:manage');
