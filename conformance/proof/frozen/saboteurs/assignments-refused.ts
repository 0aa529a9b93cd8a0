import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { answering, bodyOf, isSuccess, type Json, type Request, withEntities } from '../exchange.ts';
import { remembering, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { accountOf, askedBy, invented, selected } from './assignments-world.ts';
import { refusedBy } from './refused.ts';
import { callerOf } from './users-world.ts';

const CREATE = 'createExperienceAssignment';
const GET = 'getExperienceAssignment';
const LIST = 'getExperienceAssignments';

/** A server that lists from then on what it refused by a rule, as it was sent. */
function keeping(rule: string, what: string): Saboteur {
  return remembering(`Refuses ${what}, and keeps it.`, () => {
    const kept: Json[] = [];
    return async (request, service, behind) => {
      const reply = await service(request);
      if (request.operation === CREATE && refusedBy(reply) === rule) {
        const sent = bodyOf(request);
        kept.push(invented({ ...sent, accountId: await accountOf(behind, sent) }));
      }
      const isEnd = request.operation === LIST && isSuccess(reply) && bodyOf(reply).cursor === null;
      return isEnd ? withEntities(reply, (all) => [...all, ...kept.filter((each) => fits(each, request))]) : reply;
    };
  });
}

/** An assignment that was kept without a filter's member fits any value of it. */
function fits(assignment: Json, { query }: Request): boolean {
  return ['accountId', 'experienceId', 'targetType', 'targetValue'].every((name) =>
    [undefined, assignment[name] ?? query[name]].includes(query[name]),
  );
}

/** A server that takes away what is assigned to the target when it refuses by a rule. */
const removing = (rule: string, what: string): Saboteur =>
  remembering(`Refuses ${what}, but has removed by then what was in the way.`, () => async (request, service, behind) => {
    const reply = await service(request);
    if (request.operation !== CREATE || refusedBy(reply) !== rule) return reply;
    const { targetType, targetValue } = bodyOf(request);
    for (const { id } of await selected(request, service, { targetType, targetValue })) await behind.control.remove('assignments', id);
    return reply;
  });

/** A server that writes to what is assigned already before it refuses a duplicate. */
function writing(does: string, written: Json): Saboteur {
  return remembering(does, () => {
    const changed = new Map<string, Json>();
    const seen = (assignment: Json): Json => ({ ...assignment, ...changed.get(assignment.id) });
    return async (request, service) => {
      const reply = await service(request);
      const sent = bodyOf(request);
      if (request.operation === CREATE && refusedBy(reply) === 'assignments.create.duplicate')
        for (const { id, experienceId } of await selected(request, service, { targetType: sent.targetType, targetValue: sent.targetValue }))
          if (experienceId === sent.experienceId) changed.set(id, written);
      if (!isSuccess(reply)) return reply;
      if (request.operation === GET) return answering(reply, seen(bodyOf(reply)));
      return request.operation === LIST ? withEntities(reply, (all) => all.map(seen)) : reply;
    };
  });
}

/** Servers that refuse a creation, and change something all the same. */
export const assignmentsRefused = {
  'assignments.create.refused-changes-nothing': [
    keeping('assignments.create.duplicate', 'a duplicate'),
    keeping('assignments.create.agent-number-taken', 'a number that another Experience of type AGENT has'),
    keeping('assignments.create.unknown-user', 'a user that is not known'),
    keeping('assignments.create.invalid-value', 'what has an invalid value'),
    keeping('assignments.create.required-field', 'what lacks a field'),
    keeping('assignments.create.unknown-experience', 'an Experience that is not known'),
    keeping('assignments.create.unknown-target', 'a target that is not known to the caller'),
    keeping('assignments.create.read-only-target', 'a target that the caller may only read'),
    removing('assignments.create.duplicate', 'a duplicate'),
    removing('assignments.create.agent-number-taken', 'a number that another Experience of type AGENT has'),
    writing('Refuses a duplicate, and sets updatedAt of what is there.', { updatedAt: '2036-01-01T00:00:00.000Z' }),
    remembering('Refuses a token without the scope, but has created by then.', () => async (request, service, behind) => {
      const reply = await service(request);
      if (request.operation === CREATE && refusedBy(reply) === 'auth.missing-scope')
        await service(await askedBy(request, behind, callerOf(request)));
      return reply;
    }),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
