import type { Evidence, LevelName, Levels, Named } from '../contract/evidence.ts';
import { because, type Failure, refuse } from '../contract/failure.ts';

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

/** Who acts: a provider through the API, an end user in the portal, or the platform. Portal and platform manage everything. */
export type Actor = { readonly kind: 'provider'; readonly caller: Caller } | { readonly kind: 'portal' } | { readonly kind: 'platform' };

/** The grants of the caller's provider on an Experience and of its principal on an account: null if there is none, undefined if it does not matter. */
export interface Access {
  readonly experienceId?: string;
  readonly providerLevel?: number | null;
  readonly accountId?: string;
  readonly principalLevel?: number | null;
}

/** The lower of the two levels. A token without a principal has the provider's level only (Errors: 403 and 404 per operation). */
export function levelOf(actor: Actor, { providerLevel, principalLevel }: Access): AccessLevel {
  if (actor.kind !== 'provider') return MANAGE;
  const provider = providerLevel === undefined ? MANAGE : (providerLevel ?? NONE);
  const principal = principalLevel === undefined || actor.caller.principalId === undefined ? MANAGE : (principalLevel ?? NONE);
  return Math.min(provider, principal) as AccessLevel;
}

/** The provider whose grants count; '' for none. */
export function providerOf(actor: Actor): string {
  return actor.kind === 'provider' ? actor.caller.providerId : '';
}

/** The principal whose grants count; '' for none. */
export function principalOf(actor: Actor): string {
  return (actor.kind === 'provider' && actor.caller.principalId) || '';
}

/** The levels on both sides, for an explanation. */
export function levelsOf(actor: Actor, access: Access): Levels {
  const { experienceId, providerLevel, accountId, principalLevel } = access;
  const isPrincipalKnown = actor.kind !== 'provider' || actor.caller.principalId !== undefined;
  return {
    ...(providerLevel !== undefined && { experienceId: String(experienceId), providerLevel: nameOf(levelOf(actor, { providerLevel })) }),
    ...(principalLevel !== undefined && { accountId: String(accountId) }),
    ...(principalLevel !== undefined && isPrincipalKnown && { principalLevel: nameOf(levelOf(actor, { principalLevel })) }),
    effectiveLevel: nameOf(levelOf(actor, access)),
  };
}

/** Evidence that the levels are too low. @param of the entity that the levels give access to */
export function tooLow(
  actor: Actor,
  needed: 'read' | 'manage',
  access: Access,
  of?: { readonly what: Named; readonly id: string },
): Extract<Evidence, { cause: 'levels' }> {
  return { cause: 'levels', needed, ...(of && { of: of.what, id: of.id }), ...levelsOf(actor, access) };
}

/** Evidence that nothing has this id or number. */
export const unknown = (what: Named, value: string): Extract<Evidence, { cause: 'unknown' }> => ({ cause: 'unknown', what, value });

/** An entity that a request names, and the access to it; undefined if it does not exist. */
export interface Requested {
  readonly what: Named;
  readonly id: string;
  readonly access: Access | undefined;
}

/** The refusal if an entity does not exist or the actor may not see it. */
export function refuseHidden<const Rule extends string>(
  actor: Actor,
  { what, id, access }: Requested,
  needed: 'read' | 'manage',
  rule: Rule,
): Failure<Rule, 404> | undefined {
  if (!access) return refuseUnknown({ what, id }, rule);
  if (levelOf(actor, access) !== NONE) return undefined;
  return { ...refuseUnknown({ what, id }, rule), evidence: tooLow(actor, needed, access, { what, id }) };
}

/** The refusal if an entity does not exist. Hidden entities get the same response. */
export function refuseUnknown<const Rule extends string>({ what, id }: Omit<Requested, 'access'>, rule: Rule): Failure<Rule, 404> {
  return because(refuse(404, rule, `There is no such ${what}.`), unknown(what, id));
}

/** The refusal if the actor may read an entity but not manage it. */
export function refuseReadOnly<const Rule extends string>(
  actor: Actor,
  { what, id, access = {} }: Requested,
  rule: Rule,
): Failure<Rule, 403> | undefined {
  if (levelOf(actor, access) === MANAGE) return undefined;
  return because(refuse(403, rule, `The ${what} may only be read.`), tooLow(actor, 'manage', access, { what, id }));
}

function nameOf(level: AccessLevel): LevelName {
  return level === MANAGE ? 'manage' : level === READ ? 'read' : 'none';
}
