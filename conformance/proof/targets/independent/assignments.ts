import { randomUUID } from 'node:crypto';
import { createTimestamp } from './clock.ts';
import { publish } from './events.ts';
import { Problem } from './problem.ts';
import type { Service } from './service.ts';
import type { Assignment, Experience, TargetType } from './types.ts';

export function showAssignment(assignment: Assignment): Record<string, unknown> {
  const { creationNumber: _creationNumber, ...fields } = assignment;
  return { kind: 'assignment', ...fields };
}

function publishAssignmentEvent(service: Service, assignment: Assignment, action: string): void {
  const experience = service.experiences.get(assignment.experienceId);
  publish(service, `experience.assignment.${action}`, assignment.experienceId, {
    assignmentId: assignment.id,
    experienceId: assignment.experienceId,
    experienceName: experience?.name ?? '',
    providerId: experience?.providerId ?? '',
    accountId: assignment.accountId,
    targetType: assignment.targetType,
    targetValue: assignment.targetValue,
    updatedAt: assignment.updatedAt,
    targetKnown: true,
  });
}

export function findOwner(service: Service, targetType: TargetType, targetValue: string): string | undefined {
  if (targetType === 'ACCOUNT') return service.accounts.get(targetValue)?.id;
  if (targetType === 'USER') return service.users.get(targetValue)?.accountId;
  return service.numbers.get(targetValue)?.accountId;
}

export function findRefusalReason(
  service: Service,
  experience: Experience,
  targetType: TargetType,
  targetValue: string,
): 'duplicate' | 'other AGENT' | undefined {
  for (const other of service.assignments.values()) {
    if (other.targetType !== targetType || other.targetValue !== targetValue) continue;
    if (other.experienceId === experience.id) return 'duplicate';
    const otherExperience = service.experiences.get(other.experienceId);
    if (targetType !== 'PHONE_NUMBER' || experience.type !== 'AGENT' || otherExperience?.type !== 'AGENT') continue;
    if (service.breach === 'agent-conflict-per-provider' && otherExperience.providerId !== experience.providerId) continue;
    return 'other AGENT';
  }
  return undefined;
}

/** The target has to exist. */
export function createAssignment(
  service: Service,
  experience: Experience,
  targetType: TargetType,
  targetValue: string,
  accountId: string,
): Assignment {
  const refusalReason = findRefusalReason(service, experience, targetType, targetValue);
  if (refusalReason === 'duplicate') throw new Problem(422, 'the target is already assigned to this Experience');
  if (refusalReason === 'other AGENT' && service.breach !== 'refused-assignment-created')
    throw new Problem(422, 'the number is assigned to another Experience of type AGENT');
  const assignment: Assignment = {
    id: randomUUID(),
    experienceId: experience.id,
    accountId,
    targetType,
    targetValue,
    updatedAt: createTimestamp(),
    creationNumber: service.takeNextCreationNumber(),
  };
  service.assignments.set(assignment.id, assignment);
  publishAssignmentEvent(service, assignment, 'created');
  if (refusalReason === 'other AGENT') throw new Problem(422, 'the number is assigned to another Experience of type AGENT');
  return assignment;
}

export function deleteAssignment(service: Service, assignment: Assignment, silent = false): void {
  service.assignments.delete(assignment.id);
  service.deletedAssignments.add(assignment.id);
  assignment.updatedAt = createTimestamp();
  if (!silent) publishAssignmentEvent(service, assignment, 'deleted');
}

export function deleteAssignmentsOf(service: Service, targetType: TargetType, targetValue: string, silent = false): void {
  for (const assignment of [...service.assignments.values()]) {
    if (assignment.targetType === targetType && assignment.targetValue === targetValue) deleteAssignment(service, assignment, silent);
  }
}
