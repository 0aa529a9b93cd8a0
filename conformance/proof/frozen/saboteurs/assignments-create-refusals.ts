import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { bodyOf, type Json, problem, sending, success } from '../exchange.ts';
import { misreading, remembering, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { invented, selected } from './assignments-world.ts';
import { refusedBy, whereRefused } from './refused.ts';
import { fitsAnotherType, isOfType, ofEachType, TARGET_TYPES } from './target-types.ts';

const CREATE = 'createExperienceAssignment';
type Where = (sent: Json) => boolean;
const anywhere: Where = () => true;

/** A server that refuses otherwise where a creation is refused by a rule. @param where in which of its cases */
const refusing = (rule: string, what: string, status: number, where: Where = anywhere): Saboteur =>
  whereRefused(`assignments.create.${rule}`, CREATE, `Refuses ${what} with ${status}.`, (_, request) =>
    where(bodyOf(request)) ? problem(status) : undefined,
  );

/** A server that says 201 where a creation is refused by a rule. @param where in which of its cases */
const accepting = (rule: string, what: string, where: Where = anywhere): Saboteur =>
  whereRefused(`assignments.create.${rule}`, CREATE, `Creates ${what}.`, (_, request) =>
    where(bodyOf(request)) ? success(201, invented(bodyOf(request))) : undefined,
  );

/** A server that takes a creation for another before it judges it. */
const taking = (does: string, change: (sent: Json) => Json): Saboteur =>
  misreading(does, CREATE, (request) => sending(request, { ...bodyOf(request), ...change(bodyOf(request)) }));

/** A server that answers a duplicate with the assignment that is there. */
const findingAgain = (does: string, status: number, where: Where): Saboteur =>
  remembering(does, () => async (request, service) => {
    const reply = await service(request);
    const sent = bodyOf(request);
    if (refusedBy(reply) !== 'assignments.create.duplicate' || !where(sent)) return reply;
    const all = await selected(request, service, { targetType: sent.targetType, targetValue: sent.targetValue });
    return success(
      status,
      all.find(({ experienceId }) => experienceId === sent.experienceId),
    );
  });

const missing =
  (field: string): Where =>
  (sent) =>
    sent[field] === undefined;

/** Whether a member of the body is what it must not be. */
const has =
  (field: string, wrong: (value: unknown) => boolean): Where =>
  (sent) =>
    wrong(sent[field]);
const isNull = (value: unknown) => value === null;
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isUnlisted = (value: unknown) => typeof value === 'string' && TARGET_TYPES.every((type) => type !== value);

/** Servers that refuse creations otherwise, or not at all. */
export const assignmentsCreateRefusals = {
  'assignments.create.duplicate-refused': [
    refusing('duplicate', 'a duplicate', 400),
    ...ofEachType((type) => accepting('duplicate', `a ${type} that is assigned to the Experience once more`, isOfType(type))),
    ...ofEachType((type) => findingAgain(`Answers a duplicate of a ${type} with 201 and what is there.`, 201, isOfType(type))),
    findingAgain('Answers a duplicate with 200 and what is there.', 200, anywhere),
  ],
  'assignments.create.required-field': [
    refusing('required-field', 'a creation without experienceId', 400, missing('experienceId')),
    refusing('required-field', 'a creation without targetType', 400, missing('targetType')),
    refusing('required-field', 'a creation without targetValue', 400, missing('targetValue')),
    accepting('required-field', 'an assignment without experienceId', missing('experienceId')),
    accepting('required-field', 'an assignment without targetValue', missing('targetValue')),
    taking('Sees by the targetValue what targetType it has where none is sent.', ({ targetType, targetValue }) => ({
      targetType: targetType ?? (String(targetValue).startsWith('+') ? 'PHONE_NUMBER' : 'USER'),
    })),
    refusing('required-field', 'a creation without experienceId', 404, missing('experienceId')),
  ],
  'assignments.create.invalid-value': [
    refusing('invalid-value', 'a targetType that is not allowed', 400, has('targetType', isUnlisted)),
    accepting('invalid-value', 'an assignment with a targetType that is not allowed', has('targetType', isUnlisted)),
    ...(['experienceId', 'targetType', 'targetValue'] as const).map((field) =>
      refusing('invalid-value', `null for ${field}`, 400, has(field, isNull)),
    ),
    ...(['targetType', 'targetValue'] as const).map((field) =>
      refusing('invalid-value', `a number for ${field}`, 400, has(field, isNumber)),
    ),
    taking('Takes a number for the place of a targetType in its list.', ({ targetType }) =>
      isNumber(targetType) ? { targetType: TARGET_TYPES[targetType] } : {},
    ),
    accepting('invalid-value', 'an assignment with null for targetValue', has('targetValue', isNull)),
    taking('Takes any other targetType for PHONE_NUMBER.', ({ targetType }) =>
      isUnlisted(targetType) ? { targetType: 'PHONE_NUMBER' } : {},
    ),
    taking('Takes any other targetType for USER.', ({ targetType }) => (isUnlisted(targetType) ? { targetType: 'USER' } : {})),
    taking('Takes a number for a telephone number without its plus.', ({ targetValue }) =>
      isNumber(targetValue) ? { targetValue: `+${targetValue}` } : {},
    ),
    taking('Takes the first of several targets.', ({ targetValue }) => (Array.isArray(targetValue) ? { targetValue: targetValue[0] } : {})),
  ],
  'assignments.create.target-value-format': [
    refusing('target-value-format', 'a targetValue in another format', 400),
    ...ofEachType((type) => accepting('target-value-format', `an assignment of a ${type} in another format`, isOfType(type))),
    ...ofEachType((type) =>
      accepting(
        'target-value-format',
        `an assignment of a ${type} that has the format of another target`,
        (sent) => isOfType(type)(sent) && fitsAnotherType(sent),
      ),
    ),
    ...ofEachType((type) =>
      refusing(
        'target-value-format',
        `a ${type} that has the format of another target`,
        400,
        (sent) => isOfType(type)(sent) && fitsAnotherType(sent),
      ),
    ),
  ],
  'assignments.create.unknown-user': [
    refusing('unknown-user', 'a user that is not known', 404),
    refusing('unknown-user', 'a user that is not known', 409),
    refusing('unknown-user', 'a user that is not known', 400),
    accepting('unknown-user', 'an assignment of a user that is not known'),
  ],
  'assignments.create.agent-number-taken': [
    refusing('agent-number-taken', 'a number that another Experience of type AGENT has', 409),
    refusing('agent-number-taken', 'a number that another Experience of type AGENT has', 403),
    accepting('agent-number-taken', 'an assignment of a number that another Experience of type AGENT has'),
    remembering('Takes a number from the Experience of type AGENT that has it.', () => async (request, service, behind) => {
      const reply = await service(request);
      if (refusedBy(reply) !== 'assignments.create.agent-number-taken') return reply;
      const { targetType, targetValue } = bodyOf(request);
      for (const { id, experienceId } of await selected(request, service, { targetType, targetValue }))
        if ((await behind.control.find('experiences', experienceId))?.type === 'AGENT') await behind.control.remove('assignments', id);
      return service(request);
    }),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
