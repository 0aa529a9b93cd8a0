import { createAssignment, deleteAssignment, findOwner, findRefusalReason, showAssignment } from './assignments.ts';
import type { Call } from './call.ts';
import { parseObject, parseTargetType, parseTargetValue, parseUuid, readQueryUuid } from './format.ts';
import { readPageSize, takePage } from './paging.ts';
import { Problem } from './problem.ts';
import type { Assignment, Experience, Reply, TargetType } from './types.ts';

function readTarget(query: URLSearchParams, anyFormat = false): { targetType?: TargetType; targetValue?: string } {
  const givenType = query.get('targetType');
  const givenValue = query.get('targetValue');
  if (givenType === null && givenValue !== null) throw new Problem(400, 'targetValue needs targetType');
  if (givenType === null) return {};
  const targetType = parseTargetType(givenType);
  if (targetType === undefined) throw new Problem(400, 'targetType is not an allowed value');
  if (givenValue === null) return { targetType };
  const targetValue = parseTargetValue(targetType, givenValue);
  if (targetValue !== undefined) return { targetType, targetValue };
  if (anyFormat) return { targetType, targetValue: givenValue };
  throw new Problem(400, 'targetValue does not match the format of targetType');
}

function isAssignable({ service, token }: Call, experience: Experience, targetType: TargetType, targetValue: string): boolean {
  const accountId = findOwner(service, targetType, targetValue);
  if (accountId === undefined) return service.breach === 'unfound-target-assignable' && targetType === 'USER';
  if (service.getPermission(token.principalId, { accountId }) !== 'manage') return false;
  return findRefusalReason(service, experience, targetType, targetValue) === undefined;
}

export function getExperienceAssignability(call: Call): Reply {
  const { targetType, targetValue } = readTarget(call.query, call.service.breach === 'target-format-unchecked');
  if (targetType === undefined || targetValue === undefined) throw new Problem(400, 'targetType and targetValue are required');
  const experience = call.service.experiences.get(parseUuid(call.id) ?? '');
  const permission = call.service.getPermission(call.token.principalId, { experienceId: experience?.id ?? '' });
  if (experience === undefined || permission === 'none') throw new Problem(404);
  if (permission === 'read') throw new Problem(403);
  const assignable = isAssignable(call, experience, targetType, targetValue);
  return { status: 200, body: { kind: 'assignability', experienceId: experience.id, targetType, targetValue, assignable } };
}

export function getExperienceAssignments(call: Call): Reply {
  const { service, query, token } = call;
  const { targetType, targetValue } = readTarget(query);
  const accountId = readQueryUuid(query, 'accountId');
  let experienceId = readQueryUuid(query, 'experienceId');
  if (accountId === undefined && experienceId !== undefined && !(service.breach === 'experience-without-account' && targetValue)) {
    throw new Problem(400, 'experienceId needs accountId');
  }
  if (accountId === undefined && targetValue === undefined) throw new Problem(400, 'give accountId, or targetType and targetValue');
  if (accountId !== undefined && targetValue !== undefined) throw new Problem(400, 'accountId and targetValue cannot be combined');
  const pageSize = readPageSize(query, 100, true);
  if (service.breach === 'experience-filter-lost' && targetType !== undefined) experienceId = undefined;
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
  const entities = page.entities.map((assignment) => {
    const { updatedAt, ...fields } = showAssignment(assignment);
    return call.flat ? fields : { ...fields, updatedAt };
  });
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
  if (accountId === undefined && targetType === 'USER' && service.breach === 'unknown-user-404') throw new Problem(404);
  if (accountId === undefined || service.getPermission(token.principalId, { experienceId: experience.id, accountId }) !== 'manage') {
    throw new Problem(422, 'the target cannot be assigned to the Experience');
  }
  const assignment = createAssignment(service, experience, targetType, targetValue, accountId);
  return { status: 201, body: showAssignment(assignment) };
}

export function getExperienceAssignment({ service, token, id }: Call): Reply {
  const assignment = service.assignments.get(id.toLowerCase());
  if (assignment === undefined || service.getPermission(token.principalId, assignment) === 'none') throw new Problem(404);
  return { status: 200, body: showAssignment(assignment) };
}

export function deleteExperienceAssignment({ service, token, id }: Call): Reply {
  const assignment = service.assignments.get(id.toLowerCase());
  if (service.breach === 'second-delete-204' && service.deletedAssignments.has(id)) return { status: 204 };
  const permission = assignment === undefined ? 'none' : service.getPermission(token.principalId, assignment);
  if (assignment === undefined || permission === 'none') throw new Problem(404);
  if (permission === 'read') throw new Problem(service.breach === 'reader-gets-404' ? 404 : 403);
  deleteAssignment(service, assignment);
  return { status: 204 };
}
