/**
 * Who asks, and how far they may go (Errors: 403 and 404 per operation).
 *
 * A provider has a level on an Experience, a principal on an account. The effective level is the lower of the two. A token without a principal is
 * judged by the provider's side alone.
 */

/** 0 sees nothing, 1 reads, 2 manages. */
export type AccessLevel = 0 | 1 | 2;

export const NONE = 0;
export const READ = 1;
export const MANAGE = 2;

/** The provider's application that sent a request, known by its access token. */
export interface Caller {
  readonly clientId: string;
  readonly providerId: string;
  /** Who authorized the token. */
  readonly principalId: string | undefined;
}

/** Who acts: a provider through the API, an end user in the portal, or the platform itself. The latter two manage everything. */
export type Actor = { readonly kind: 'provider'; readonly caller: Caller } | { readonly kind: 'portal' } | { readonly kind: 'platform' };

/** What the store knows of both sides; null is the absence of a grant. */
export interface Grants {
  readonly experience: number | null;
  readonly account: number | null;
}

export function effectiveLevel(actor: Actor, grants: Grants): AccessLevel {
  if (actor.kind !== 'provider') return MANAGE;
  const experience = grants.experience ?? NONE;
  const account = accountLevel(actor, grants.account);
  return Math.min(experience, account) as AccessLevel;
}

/** The principal's side alone: nobody's word is the provider's word. */
export function accountLevel(actor: Actor, grant: number | null): AccessLevel {
  if (actor.kind !== 'provider') return MANAGE;
  return (actor.caller.principalId === undefined ? MANAGE : (grant ?? NONE)) as AccessLevel;
}

export function experienceLevel(actor: Actor, grant: number | null): AccessLevel {
  return actor.kind === 'provider' ? ((grant ?? NONE) as AccessLevel) : MANAGE;
}
