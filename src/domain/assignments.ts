import type { Evidence, NamedEntityKind } from '../contract/evidence.ts';
import { addEvidence, refuse, refuseByDecision } from '../contract/failure.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import {
  type Access,
  type Actor,
  createAccessErrors,
  createAccessLevelEvidence,
  createUnknownEntityEvidence,
  getLevel,
  MANAGE,
  NONE,
  refuseMember,
} from './access.ts';
import type { ExperienceFacts } from './events.ts';

export interface Target {
  readonly targetType: 'ACCOUNT' | 'PHONE_NUMBER' | 'USER';
  readonly targetValue: string;
}

interface ExistingAssignment {
  readonly assignmentId: string;
  readonly experienceId: string;
  /** The telephone number, if it is assigned to an AGENT Experience. */
  readonly agentNumber: string | null;
}

interface ExperienceAccess extends ExperienceFacts {
  readonly type: 'AGENT' | 'GENERAL';
  readonly providerLevel: number | null;
}

export interface AssignmentFacts {
  readonly experience: ExperienceAccess | undefined;
  readonly target: (Access & { readonly accountId: string }) | undefined;
  readonly existing: readonly ExistingAssignment[];
  readonly isConnected: boolean;
}

const TARGET_NOUNS: Readonly<Record<Target['targetType'], NamedEntityKind>> = {
  ACCOUNT: 'account',
  PHONE_NUMBER: 'telephone number',
  USER: 'user',
};
export const getTargetNoun = ({ targetType }: Pick<Target, 'targetType'>): NamedEntityKind => TARGET_NOUNS[targetType];

export function refuseAssignment(
  actor: Actor,
  { experienceId, targetType, targetValue }: Target & { readonly experienceId: string },
  { experience, target, existing, isConnected }: AssignmentFacts,
  decisions: Decisions,
) {
  if (!experience || getLevel(actor, experience) === NONE) {
    const evidence = experience
      ? createAccessLevelEvidence(actor, 'manage', experience)
      : createUnknownEntityEvidence('experience', experienceId);
    return refuseMember('assignments.create.unknown-experience', 'There is no such Experience.', 'experienceId', evidence);
  }
  if (getLevel(actor, experience) < MANAGE) {
    const detail = 'The caller may read the Experience, but not change it.';
    const evidence = createAccessLevelEvidence(actor, 'manage', experience);
    return refuseMember('assignments.create.read-only-experience', detail, 'experienceId', evidence);
  }

  const access = { ...experience, ...target };
  if (!target || getLevel(actor, target) === NONE) {
    const evidence = target
      ? createAccessLevelEvidence(actor, 'manage', access)
      : createUnknownEntityEvidence(TARGET_NOUNS[targetType], targetValue);
    // An unknown USER always gets 422. A USER that is hidden from the caller gets the status that `assignments.create.unknown-target` sets.
    // If that status is 422, both refusals are equal, so that the response does not reveal whether the USER exists.
    if (targetType === 'USER' && (!target || decisions['assignments.create.unknown-target'] === 422)) {
      const detail = 'The unified user store does not contain this user.';
      return addEvidence(refuse(422, 'assignments.create.unknown-user', detail, createAccessErrors('targetValue')), evidence);
    }
    return refuseMember('assignments.create.unknown-target', `There is no such ${targetType}.`, 'targetValue', evidence);
  }
  if (getLevel(actor, target) < MANAGE) {
    const detail = "The caller may read the target's account, but not change it.";
    const evidence = createAccessLevelEvidence(actor, 'manage', access);
    return refuseMember('assignments.create.read-only-target', detail, 'targetValue', evidence);
  }

  const conflict = findConflict(experience, existing);
  if (conflict?.cause === 'already assigned') {
    const detail = `The ${targetType} ${targetValue} is already assigned to this Experience.`;
    return addEvidence(refuseByDecision('assignments.create.duplicate', detail), conflict);
  }
  if (conflict) {
    const detail = 'The telephone number is already assigned to another Experience of type AGENT.';
    return addEvidence(refuse(422, 'assignments.create.agent-number-taken', detail, createAccessErrors('targetValue')), conflict);
  }
  if (decisions['assignments.create.needs-connection'] !== 'no' && !isConnected) {
    const refusal = refuseByDecision('assignments.create.needs-connection', 'The account has no connection to the Experience.');
    return addEvidence(refusal, { cause: 'no connection', accountId: target.accountId, experienceId });
  }
  return undefined;
}

export function refuseAssignabilityCheck(actor: Actor, experienceId: string, experience: ExperienceAccess | undefined) {
  const level = experience ? getLevel(actor, experience) : NONE;
  if (level === MANAGE) return undefined;
  const evidence = experience
    ? createAccessLevelEvidence(actor, 'manage', experience)
    : createUnknownEntityEvidence('experience', experienceId);
  if (level === NONE) return addEvidence(refuse(404, 'assignability.not-found', 'There is no such Experience.'), evidence);
  const detail = 'The caller may read the Experience, but not check its assignability.';
  return addEvidence(refuse(403, 'assignability.read-only', detail), evidence);
}

export function decideAssignable(
  actor: Actor,
  { targetType, targetValue }: Target,
  { experience, target, existing }: Pick<AssignmentFacts, 'target' | 'existing'> & { readonly experience: ExperienceAccess },
  decisions: Decisions,
): { readonly assignable: boolean; readonly evidence?: Evidence } {
  if (!target) return { assignable: false, evidence: createUnknownEntityEvidence(TARGET_NOUNS[targetType], targetValue) };
  if (getLevel(actor, target) < MANAGE) {
    if (decisions['assignability.hidden-target']) return { assignable: true };
    return { assignable: false, evidence: createAccessLevelEvidence(actor, 'manage', { ...experience, ...target }) };
  }
  const conflict = findConflict(experience, existing);
  if (!conflict) return { assignable: true };
  const decisionId = conflict.cause === 'already assigned' ? 'assignability.already-assigned' : 'assignability.agent-conflict';
  return decisions[decisionId] ? { assignable: true } : { assignable: false, evidence: conflict };
}

/** Finds a conflict: the target is already assigned to this Experience, or the number would be assigned to two AGENT Experiences. */
function findConflict(
  { experienceId, type }: ExperienceAccess,
  existing: readonly ExistingAssignment[],
): Extract<Evidence, { cause: 'already assigned' | 'AGENT assignment' }> | undefined {
  const same = existing.find((assignment) => assignment.experienceId === experienceId);
  if (same) return { cause: 'already assigned', assignmentId: same.assignmentId, experienceId };
  if (type !== 'AGENT') return undefined;
  const agents = existing.filter(({ agentNumber }) => agentNumber !== null);
  if (agents.length === 0) return undefined;
  const assignments = agents.map((agent) => ({ assignmentId: agent.assignmentId, experienceId: agent.experienceId }));
  return { cause: 'AGENT assignment', assignments };
}
