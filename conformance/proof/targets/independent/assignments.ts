import { randomUUID } from 'node:crypto';
import { createTimestamp } from './clock.ts';
import { publish } from './events.ts';
import { parseObject, parseTargetType, parseTargetValue, parseUuid, readQueryUuid } from './format.ts';
import { readPageSize, takePage } from './paging.ts';
import { Problem } from './problem.ts';
import type { Assignment, Call, Experience, Reply, Service, TargetType } from './service.ts';

function showAssignment({ creationNumber: _, ...fields }: Assignment): object {
  return { kind: 'assignment', ...fields };
}

function publishAssignmentEvent(service: Service, assignment: Assignment, action: string): void {
  const { id: assignmentId, creationNumber: _, ...fields } = assignment;
  const { name: experienceName, providerId } = service.experiences.get(assignment.experienceId)!;
  const data = { assignmentId, experienceName, providerId, ...fields, targetKnown: true };
  publish(service, `experience.assignment.${action}`, assignment.experienceId, data);
}

export function findOwner(service: Service, targetType: TargetType, targetValue: string): string | undefined {
  if (targetType === 'ACCOUNT') return service.accounts.get(targetValue)?.id;
  if (targetType === 'USER') return service.users.get(targetValue)?.accountId;
  return service.numbers.get(targetValue)?.accountId;
}

/** Returns why the target cannot be assigned to the Experience, or undefined. */
function findConflict(service: Service, experience: Experience, targetType: TargetType, targetValue: string): string | undefined {
  for (const other of service.assignments.values()) {
    if (other.targetType !== targetType || other.targetValue !== targetValue) continue;
    if (other.experienceId === experience.id) return 'the target is already assigned to this Experience';
    const otherExperience = service.experiences.get(other.experienceId);
    if (targetType !== 'PHONE_NUMBER' || experience.type !== 'AGENT' || otherExperience?.type !== 'AGENT') continue;
    return 'the number is assigned to another Experience of type AGENT';
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
  const conflict = findConflict(service, experience, targetType, targetValue);
  if (conflict !== undefined) throw new Problem(422, conflict);
  const assignment: Assignment = {
    id: randomUUID(),
    experienceId: experience.id,
    accountId,
    targetType,
    targetValue,
    updatedAt: createTimestamp(),
    creationNumber: ++service.creationCount,
  };
  service.assignments.set(assignment.id, assignment);
  publishAssignmentEvent(service, assignment, 'created');
  return assignment;
}

export function deleteAssignment(service: Service, assignment: Assignment): void {
  service.assignments.delete(assignment.id);
  assignment.updatedAt = createTimestamp();
  publishAssignmentEvent(service, assignment, 'deleted');
}

export function deleteAssignmentsOf(service: Service, targetType: TargetType, targetValue: string): void {
  for (const assignment of [...service.assignments.values()]) {
    if (assignment.targetType === targetType && assignment.targetValue === targetValue) deleteAssignment(service, assignment);
  }
}

function readTarget(query: URLSearchParams): { targetType?: TargetType; targetValue?: string } {
  const givenType = query.get('targetType');
  const givenValue = query.get('targetValue');
  if (givenType === null && givenValue !== null) throw new Problem(400, 'targetValue needs targetType');
  if (givenType === null) return {};
  const targetType = parseTargetType(givenType);
  if (targetType === undefined) throw new Problem(400, 'targetType is not an allowed value');
  if (givenValue === null) return { targetType };
  const targetValue = parseTargetValue(targetType, givenValue);
  if (targetValue === undefined) throw new Problem(400, 'targetValue does not match the format of targetType');
  return { targetType, targetValue };
}

export function getExperienceAssignability({ service, token, id, query }: Call): Reply {
  const { targetType, targetValue } = readTarget(query);
  if (targetType === undefined || targetValue === undefined) throw new Problem(400, 'targetType and targetValue are required');
  const experience = service.experiences.get(parseUuid(id) ?? '');
  const permission = service.getPermission(token.principalId, { experienceId: experience?.id ?? '' });
  if (experience === undefined || permission === 'none') throw new Problem(404);
  if (permission === 'read') throw new Problem(403);
  const accountId = findOwner(service, targetType, targetValue);
  const assignable =
    accountId !== undefined &&
    service.getPermission(token.principalId, { accountId }) === 'manage' &&
    findConflict(service, experience, targetType, targetValue) === undefined;
  return { status: 200, body: { kind: 'assignability', experienceId: experience.id, targetType, targetValue, assignable } };
}

export function getExperienceAssignments({ service, token, query, isFlatPath }: Call): Reply {
  const { targetType, targetValue } = readTarget(query);
  const accountId = readQueryUuid(query, 'accountId');
  const experienceId = readQueryUuid(query, 'experienceId');
  if (accountId === undefined && experienceId !== undefined) throw new Problem(400, 'experienceId needs accountId');
  if (accountId === undefined && targetValue === undefined) throw new Problem(400, 'give accountId, or targetType and targetValue');
  if (accountId !== undefined && targetValue !== undefined) throw new Problem(400, 'accountId and targetValue cannot be combined');
  const pageSize = readPageSize(query, 100, true);
  const items = [...service.assignments.values()].filter(
    (assignment) =>
      (accountId === undefined || assignment.accountId === accountId) &&
      (experienceId === undefined || assignment.experienceId === experienceId) &&
      (targetType === undefined || assignment.targetType === targetType) &&
      (targetValue === undefined || assignment.targetValue === targetValue) &&
      service.getPermission(token.principalId, assignment) !== 'none',
  );
  const listing = {
    items,
    compare: (a: Assignment, b: Assignment) => b.creationNumber - a.creationNumber,
    binding: JSON.stringify(['assignments', accountId, experienceId, targetType, targetValue]),
  };
  const page = takePage(service, listing, query.get('cursor'), pageSize) ?? { entities: [], cursor: null, pageSize };
  const entities = page.entities.map(({ updatedAt, ...fields }) => ({
    ...showAssignment({ updatedAt, ...fields }),
    updatedAt: isFlatPath ? undefined : updatedAt,
  }));
  return { status: 200, body: { kind: 'page', ...page, entities } };
}

export function createExperienceAssignment({ service, token, text }: Call): Reply {
  const body = parseObject(text);
  if (body === undefined) throw new Problem(422, 'the body is not a JSON object');
  const experience = service.experiences.get(parseUuid(body.experienceId) ?? '');
  if (experience === undefined) throw new Problem(422, 'experienceId is missing or unknown');
  const targetType = parseTargetType(body.targetType);
  if (targetType === undefined) throw new Problem(422, 'targetType is missing or not an allowed value');
  const targetValue = parseTargetValue(targetType, body.targetValue);
  if (targetValue === undefined) throw new Problem(422, 'targetValue is missing or does not match the format of targetType');
  const accountId = findOwner(service, targetType, targetValue);
  if (accountId === undefined || service.getPermission(token.principalId, { experienceId: experience.id, accountId }) !== 'manage') {
    throw new Problem(422, 'the target cannot be assigned to the Experience');
  }
  return { status: 201, body: showAssignment(createAssignment(service, experience, targetType, targetValue, accountId)) };
}

function findAssignment({ service, token, id }: Call, isDeletion: boolean): Assignment {
  const assignment = service.assignments.get(id.toLowerCase());
  const permission = assignment === undefined ? 'none' : service.getPermission(token.principalId, assignment);
  if (assignment === undefined || permission === 'none') throw new Problem(404);
  if (isDeletion && permission === 'read') throw new Problem(403);
  return assignment;
}

export function getExperienceAssignment(call: Call): Reply {
  return { status: 200, body: showAssignment(findAssignment(call, false)) };
}

export function deleteExperienceAssignment(call: Call): Reply {
  deleteAssignment(call.service, findAssignment(call, true));
  return { status: 204 };
}
