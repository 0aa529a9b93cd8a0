import { test } from '../support/assignments-test.ts';
import { must } from '../support/broken.ts';
import type { Client } from '../support/client.ts';
import { type Assignment, type Assignments, TARGET_TYPES, type TargetType } from '../support/make-assignment.ts';
import { among, listed } from '../support/pages.ts';
import { rule } from '../support/rule.ts';
import { refusal, refused, success } from '../support/verify.ts';
import { MALFORMED_TARGETS, UNKNOWN_TARGETS, UNLISTED_TARGET_TYPE } from '../support/wrong.ts';

const OPERATION = 'createExperienceAssignment';
type Target = Pick<Assignment, 'targetType' | 'targetValue'>;
/** There is one main account, so checks that assign it take turns. */
const lock = 'account';

/** The creation that is refused with 422, and then the same without the fault, which shows that nothing else was in the way. */
async function invalid(assignments: Assignments, targetType: TargetType, fault: Readonly<Record<string, unknown>>): Promise<void> {
  const good = await assignments.wanted({ targetType });
  refusal(await assignments.create({ ...good, ...fault }), 422);
  success(OPERATION, await assignments.create(good), 201);
}

/** @throws RuleBroken unless these are all the assignments that the target has. */
async function mustHaveOnly(
  api: Client,
  token: string,
  { targetType, targetValue }: Target,
  ...expected: readonly Assignment[]
): Promise<void> {
  const list = await listed(api, 'getExperienceAssignments', { token, query: { targetType, targetValue } });
  const right = list.length === expected.length && among(list, expected).length === expected.length;
  must(right, `${targetValue} has the assignments it had, ${JSON.stringify(expected)}, not ${JSON.stringify(list)}`);
}

for (const targetType of TARGET_TYPES) {
  test(`A targetValue that does not match the format of its targetType gets 422: ${targetType}.`, {
    ...rule('assignments.create.target-value-format'),
    lock,
  }, async ({ assignments }) => {
    await invalid(assignments, targetType, { targetValue: MALFORMED_TARGETS[targetType] });
  });
}

for (const field of ['experienceId', 'targetType', 'targetValue'] as const) {
  test(`A creation without a required field gets 422: ${field}.`, rule('assignments.create.required-field'), async ({ assignments }) => {
    await invalid(assignments, 'PHONE_NUMBER', { [field]: undefined });
  });
}

for (const fault of [{ targetType: UNLISTED_TARGET_TYPE }, { targetType: null }, { targetValue: null }, { experienceId: null }]) {
  test(
    `A creation with an invalid value gets 422: ${JSON.stringify(fault)}.`,
    rule('assignments.create.invalid-value'),
    async ({ assignments }) => {
      await invalid(assignments, 'PHONE_NUMBER', fault);
    },
  );
}

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
    const { targetValue } = await assignments.make({ experienceId: await need('experience.agent') });
    const experienceId = await need('experience.second-agent');
    refusal(await assignments.create({ experienceId, targetType: 'PHONE_NUMBER', targetValue }), 422);
    success(OPERATION, await assignments.create(await assignments.wanted({ experienceId })), 201);
  },
);

test(
  'A target that is already assigned to the Experience is not assigned again: 409 or 422.',
  rule('assignments.create.duplicate-refused'),
  async ({ assignments }) => {
    const wanted = await assignments.wanted();
    success(OPERATION, await assignments.create(wanted), 201);
    refusal(await assignments.create(wanted), 409, 422);
  },
);

test(
  'A refused creation leaves the assignments as they were: a duplicate.',
  rule('assignments.create.refused-changes-nothing'),
  async ({ api, need, assignments }) => {
    const made = await assignments.make();
    const { experienceId, targetType, targetValue } = made;
    refused(await assignments.create({ experienceId, targetType, targetValue }));
    await mustHaveOnly(api, await need('token'), made, made);
  },
);

test(
  'A refused creation leaves the assignments as they were: a number that an AGENT Experience has.',
  rule('assignments.create.refused-changes-nothing'),
  async ({ api, need, assignments }) => {
    const made = await assignments.make({ experienceId: await need('experience.agent') });
    const { targetType, targetValue } = made;
    refused(await assignments.create({ experienceId: await need('experience.second-agent'), targetType, targetValue }));
    await mustHaveOnly(api, await need('token'), made, made);
  },
);

test(
  'A refused creation leaves the assignments as they were: a token without the scope.',
  rule('assignments.create.refused-changes-nothing'),
  async ({ api, need, assignments }) => {
    const wanted = await assignments.wanted();
    const { 'experience-assignments:manage': token } = await need('token.without-scope');
    refused(await assignments.create(wanted, { token }));
    await mustHaveOnly(api, await need('token'), wanted);
    success(OPERATION, await assignments.create(wanted), 201);
  },
);

test(
  'Creating an assignment needs the scope experience-assignments:manage; a token without it is never answered with success.',
  rule('assignments.create.scope'),
  async ({ need, assignments }) => {
    const wanted = await assignments.wanted();
    const { 'experience-assignments:manage': token } = await need('token.without-scope');
    refused(await assignments.create(wanted, { token }));
    success(OPERATION, await assignments.create(wanted), 201);
  },
);
