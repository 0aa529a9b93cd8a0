import { type Assignments, TARGET_TYPES } from '../actors/assignments.ts';
import { expectRefused, expectStatus, expectSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { TargetType } from '../target/capabilities-of-events.ts';
import { MALFORMED_TARGETS, UNKNOWN_TARGETS, UNLISTED_TARGET_TYPE } from '../target/sample-values.ts';

const OPERATION = 'createExperienceAssignment';
/** There is one main account, so checks that assign it take turns. */
const lock = 'account';

/** A creation that each of these faults has expectRefused with 422, and then the same without them, which shows that nothing else was in the way. */
async function invalid(
  assignments: Assignments,
  targetType: TargetType,
  ...faults: readonly Readonly<Record<string, unknown>>[]
): Promise<void> {
  const good = await assignments.newBody({ targetType });
  for (const fault of faults) expectStatus(await assignments.create({ ...good, ...fault }), 422);
  expectSuccess(OPERATION, await assignments.create(good), 201);
}

for (const targetType of TARGET_TYPES) {
  test(`A targetValue that does not match the format of its targetType gets 422: ${targetType}.`, {
    ...rule('assignments.create.target-value-format'),
    lock,
  }, async ({ assignments }) => {
    const ofAnother = UNKNOWN_TARGETS[targetType === 'PHONE_NUMBER' ? 'USER' : 'PHONE_NUMBER']();
    await invalid(assignments, targetType, { targetValue: MALFORMED_TARGETS[targetType] }, { targetValue: ofAnother });
  });
}

for (const field of ['experienceId', 'targetType', 'targetValue'] as const) {
  test(`A creation without a required field gets 422: ${field}.`, rule('assignments.create.required-field'), async ({ assignments }) => {
    await invalid(assignments, 'PHONE_NUMBER', { [field]: undefined });
  });
}

for (const fault of [
  { targetType: UNLISTED_TARGET_TYPE },
  { targetType: null },
  { targetType: 1 },
  { targetValue: null },
  { experienceId: null },
]) {
  test(
    `A creation with an invalid value gets 422: ${JSON.stringify(fault)}.`,
    rule('assignments.create.invalid-value'),
    async ({ assignments }) => {
      // A server that takes another type for the one it is told would be content with the target of that type.
      for (const targetType of ['PHONE_NUMBER', 'USER'] as const) await invalid(assignments, targetType, fault);
    },
  );
}

test(
  'A creation with an invalid value gets 422: a targetValue that is no text.',
  rule('assignments.create.invalid-value'),
  async ({ assignments }) => {
    const { targetValue } = await assignments.newBody();
    await invalid(assignments, 'PHONE_NUMBER', { targetValue: Number(targetValue.slice(1)) }, { targetValue: [targetValue] });
  },
);

test(
  'A USER target whose id is unknown to the unified user store gets 422.',
  rule('assignments.create.unknown-user'),
  async ({ assignments }) => {
    await invalid(assignments, 'USER', { targetValue: UNKNOWN_TARGETS.USER() });
  },
);

test(
  'A number already assigned to another AGENT Experience gets 422 when the Experience is of type AGENT, too.',
  rule('assignments.create.agent-number-taken'),
  async ({ need, assignments }) => {
    const { targetValue, ...taken } = await assignments.newBody({ experienceId: await need('experience.agent') });
    expectSuccess(OPERATION, await assignments.create({ ...taken, targetValue }), 201);
    const experienceId = await need('experience.second-agent');
    expectStatus(await assignments.create({ experienceId, targetType: 'PHONE_NUMBER', targetValue }), 422);
    expectSuccess(OPERATION, await assignments.create(await assignments.newBody({ experienceId })), 201);
  },
);

for (const targetType of TARGET_TYPES) {
  test(`A target that is already assigned to the Experience is not assigned again: 409 or 422: ${targetType}.`, {
    ...rule('assignments.create.duplicate-refused'),
    lock,
  }, async ({ assignments }) => {
    const wanted = await assignments.newBody({ targetType });
    expectSuccess(OPERATION, await assignments.create(wanted), 201);
    expectStatus(await assignments.create(wanted), 409, 422);
  });
}

test(
  'Creating an assignment needs the scope experience-assignments:manage; a token without it is never answered with expectSuccess.',
  rule('assignments.create.scope'),
  async ({ need, assignments }) => {
    const wanted = await assignments.newBody();
    const { 'experience-assignments:manage': token } = await need('token.without-scope');
    expectRefused(await assignments.create(wanted, { token }));
    expectSuccess(OPERATION, await assignments.create(wanted), 201);
  },
);
