import type { AccessLevels, Evidence, LevelName, NamedEntityKind } from '../contract/evidence.ts';
import { addEvidence, type Failure, refuse, refuseByDecision } from '../contract/failure.ts';
import type { DecisionId } from '../contract/generated/decisions.ts';

/** An actor's access to an entity. 0: none. 1: read. 2: read and change. */
type AccessLevel = 0 | 1 | 2;

export const NONE = 0;
export const READ = 1;
export const MANAGE = 2;

export interface Caller {
  readonly clientId: string;
  readonly providerId: string;
  /** The token's principal; undefined if the access token has none. */
  readonly principalId: string | undefined;
  readonly outage?: Outage;
}

type Outage = Extract<Evidence, { cause: 'fault' }>;

/** Thrown if the caller's permissions are required, but unavailable. */
export class PermissionsUnavailable extends Error {
  override readonly name = 'PermissionsUnavailable';
  readonly outage: Outage;

  constructor(outage: Outage) {
    super("the caller's permissions cannot be looked up");
    this.outage = outage;
  }
}

/** Only a provider's access is limited. */
export type Actor = { readonly kind: 'provider'; readonly caller: Caller } | { readonly kind: 'portal' } | { readonly kind: 'platform' };

/** The access levels that an operation depends on. Null means that the provider or principal has no grant. */
export interface Access {
  readonly experienceId?: string;
  readonly providerLevel?: number | null;
  readonly accountId?: string;
  readonly principalLevel?: number | null;
}

/**
 * Returns the lower of the provider's and the principal's levels, or the provider's level if the token has no principal. See the
 * specification's table of 403 and 404 per operation.
 */
export function getLevel(actor: Actor, { providerLevel, principalLevel }: Access): AccessLevel {
  if (actor.kind !== 'provider') return MANAGE;
  const provider = providerLevel === undefined ? MANAGE : (providerLevel ?? NONE);
  const principal = principalLevel === undefined || actor.caller.principalId === undefined ? MANAGE : (principalLevel ?? NONE);
  return Math.min(provider, principal) as AccessLevel;
}

/** Returns the id of the provider whose grants limit the actor; '' if there is none. */
export function getProviderId(actor: Actor): string {
  return getCallerLimitedByGrants(actor)?.providerId ?? '';
}

/** Returns the id of the principal whose grants limit the actor; '' if there is none. */
export function getPrincipalId(actor: Actor): string {
  return getCallerLimitedByGrants(actor)?.principalId ?? '';
}

/** Returns undefined if no grants limit the actor. @throws PermissionsUnavailable */
function getCallerLimitedByGrants(actor: Actor): Caller | undefined {
  if (actor.kind !== 'provider') return undefined;
  if (actor.caller.outage) throw new PermissionsUnavailable(actor.caller.outage);
  return actor.caller;
}

export function describeLevels(actor: Actor, access: Access): AccessLevels {
  const { experienceId, providerLevel, accountId, principalLevel } = access;
  const isPrincipalKnown = actor.kind !== 'provider' || actor.caller.principalId !== undefined;
  return {
    ...(providerLevel !== undefined && {
      experienceId: String(experienceId),
      providerLevel: getLevelName(getLevel(actor, { providerLevel })),
    }),
    ...(principalLevel !== undefined && { accountId: String(accountId) }),
    ...(principalLevel !== undefined && isPrincipalKnown && { principalLevel: getLevelName(getLevel(actor, { principalLevel })) }),
    effectiveLevel: getLevelName(getLevel(actor, access)),
  };
}

export function createAccessLevelEvidence(
  actor: Actor,
  needed: 'read' | 'manage',
  access: Access,
  entity?: { readonly what: NamedEntityKind; readonly id: string },
): Extract<Evidence, { cause: 'levels' }> {
  return { cause: 'levels', needed, ...(entity && { of: entity.what, id: entity.id }), ...describeLevels(actor, access) };
}

export const createUnknownEntityEvidence = (what: NamedEntityKind, value: string): Extract<Evidence, { cause: 'unknown' }> => ({
  cause: 'unknown',
  what,
  value,
});

/** `access` is undefined if the entity does not exist. */
interface RequestedEntity {
  readonly what: NamedEntityKind;
  readonly id: string;
  readonly access: Access | undefined;
}

export function refuseHidden<const Rule extends string>(
  actor: Actor,
  { what, id, access }: RequestedEntity,
  needed: 'read' | 'manage',
  rule: Rule,
): Failure<Rule, 404> | undefined {
  if (!access) return refuseUnknown({ what, id }, rule);
  if (getLevel(actor, access) !== NONE) return undefined;
  return { ...refuseUnknown({ what, id }, rule), evidence: createAccessLevelEvidence(actor, needed, access, { what, id }) };
}

/** The response does not reveal whether the entity exists. */
export function refuseUnknown<const Rule extends string>({ what, id }: Omit<RequestedEntity, 'access'>, rule: Rule): Failure<Rule, 404> {
  return addEvidence(refuse(404, rule, `There is no such ${what}.`), createUnknownEntityEvidence(what, id));
}

export function refuseUnmanageable<const Hidden extends string, const ReadOnly extends string>(
  actor: Actor,
  requested: RequestedEntity,
  hiddenRule: Hidden,
  readOnlyRule: ReadOnly,
): Failure<Hidden, 404> | Failure<ReadOnly, 403> | undefined {
  const { what, id, access = {} } = requested;
  const refusal = refuseHidden(actor, requested, 'manage', hiddenRule);
  if (refusal || getLevel(actor, access) === MANAGE) return refusal;
  const evidence = createAccessLevelEvidence(actor, 'manage', access, { what, id });
  return addEvidence(refuse(403, readOnlyRule, `The caller may read this ${what}, but not change it.`), evidence);
}

/** Refuses a request to which the caller lacks access, or which is about an unknown entity, because of a body member. */
export function refuseMember<const Decision extends DecisionId>(decision: Decision, detail: string, member: string, evidence: Evidence) {
  return addEvidence(refuseByDecision(decision, detail, createAccessErrors(member)), evidence);
}

export function createAccessErrors(member: string) {
  return [{ pointer: `/${member}`, message: 'must identify an entity to which the caller has access' }];
}

function getLevelName(level: AccessLevel): LevelName {
  return level === MANAGE ? 'manage' : level === READ ? 'read' : 'none';
}
