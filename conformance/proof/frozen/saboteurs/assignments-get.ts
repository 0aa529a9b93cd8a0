import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { bodyOf, isSuccess, type Json, problem, type Reply, success, withMembers } from '../exchange.ts';
import { remembering, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { invented, inventedAccount, toAnybody, whereDone, whereNotFound } from './assignments-world.ts';

const GET = 'getExperienceAssignment';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A server that shows an assignment with members like these: what is undefined is left out. */
const showing = (does: string, members: (assignment: Json) => Json): Saboteur =>
  whereDone(GET, does, (reply) => withMembers(reply, members(bodyOf(reply))));

/** A server that answers otherwise the first time that it is asked for an assignment which it has created. */
const once = (does: string, change: (reply: Reply) => Reply): Saboteur =>
  remembering(does, () => {
    const made = new Set<string>();
    return async (request, service) => {
      const reply = await service(request);
      if (request.operation === 'createExperienceAssignment' && isSuccess(reply)) made.add(bodyOf(reply).id);
      return request.operation === GET && made.delete(request.path.assignmentId ?? '') ? change(reply) : reply;
    };
  });

/** Servers that show other assignments than they should, or show them to whom they should not. */
export const assignmentsGet = {
  'assignments.get.same-as-created': [
    showing('Shows the local time of an assignment as if it were UTC.', ({ updatedAt }) => ({
      updatedAt: new Date(Date.parse(updatedAt) + 3_600_000).toISOString(),
    })),
    once('Does not find an assignment at once.', () => problem(404)),
    once('Answers for a new assignment with 202.', (reply) => ({ ...reply, status: 202 })),
    showing('Shows an assignment with an id of its own.', () => ({ id: invented().id })),
    showing('Shows an assignment with another Experience.', () => ({ experienceId: invented().experienceId })),
    showing('Shows an assignment with another account.', () => ({ accountId: inventedAccount })),
    showing('Shows an assignment with another targetType.', ({ targetType }) => ({
      targetType: targetType === 'USER' ? 'ACCOUNT' : 'USER',
    })),
    showing('Shows an assignment with another targetValue.', ({ targetType }) => ({
      targetValue: targetType === 'PHONE_NUMBER' ? '+12065550198' : inventedAccount,
    })),
    showing('Shows the day of an assignment for its updatedAt.', ({ updatedAt }) => ({ updatedAt: `${updatedAt.slice(0, 10)}T00:00:00Z` })),
  ],
  'assignments.get.not-found': [
    whereNotFound(GET, 'missing', 'Answers for an assignment that is missing with 403.', () => problem(403)),
    whereNotFound(GET, 'missing', 'Answers for an assignment that is missing with 204.', () => success(204)),
    whereNotFound(GET, 'missing', 'Answers for an assignment that is missing with null.', () => success(200, null)),
    whereNotFound(GET, 'missing', 'Shows an assignment that is missing.', (id) => success(200, invented({ id }))),
    whereNotFound(GET, 'missing', 'Refuses an id that is not a UUID with 400.', (id) => (UUID.test(id) ? undefined : problem(400))),
    whereNotFound(GET, 'hidden', 'Refuses an assignment that the caller has no access to with 403.', () => problem(403)),
    whereNotFound(GET, 'hidden', 'Refuses an assignment that the caller has no access to with 401.', () => problem(401)),
    toAnybody(GET, 'Shows an assignment to callers without access.'),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
