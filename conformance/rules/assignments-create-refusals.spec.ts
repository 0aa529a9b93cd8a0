import type { RuleId } from '../../src/contract/generated/rules.ts';
import { TARGET_TYPES } from '../actors/assignments.ts';
import { expectRefused, expectStatus, expectSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { TargetType } from '../target/capabilities-of-events.ts';
import { MALFORMED_TARGETS, UNKNOWN_TARGETS, UNLISTED_TARGET_TYPE } from '../target/sample-values.ts';

const OPERATION = 'createExperienceAssignment';
/** Checks that assign the main account take turns. */
const lock = 'account';

type Fault = Readonly<Record<string, unknown>>;

/** Checks that a valid creation with each of these faults gets 422. The creation without a fault comes last and succeeds. */
function refuses(id: RuleId, title: string, targetTypes: readonly TargetType[], ...faults: readonly (() => Fault)[]): void {
  test(title, { ...rule(id), lock }, async ({ assignments }) => {
    for (const targetType of targetTypes) {
      const body = await assignments.newBody({ targetType });
      for (const fault of faults) expectStatus(await assignments.create({ ...body, ...fault() }), 422);
      expectSuccess(OPERATION, await assignments.create(body), 201);
    }
  });
}

for (const targetType of TARGET_TYPES)
  refuses(
    'assignments.create.target-value-format',
    `A targetValue that does not match the format of its targetType gets 422: ${targetType}.`,
    [targetType],
    () => ({ targetValue: MALFORMED_TARGETS[targetType] }),
    // The format of another type.
    () => ({ targetValue: UNKNOWN_TARGETS[targetType === 'PHONE_NUMBER' ? 'USER' : 'PHONE_NUMBER']() }),
  );

for (const field of ['experienceId', 'targetType', 'targetValue'])
  refuses('assignments.create.required-field', `A creation without a required field gets 422: ${field}.`, ['PHONE_NUMBER'], () => ({
    [field]: undefined,
  }));

// For two types of target: a server that takes an unknown type for a certain one would accept its target.
for (const fault of [
  { targetType: UNLISTED_TARGET_TYPE },
  { targetType: null },
  { targetType: 1 },
  { targetValue: null },
  { experienceId: null },
])
  refuses(
    'assignments.create.invalid-value',
    `A creation with an invalid value gets 422: ${JSON.stringify(fault)}.`,
    ['PHONE_NUMBER', 'USER'],
    () => fault,
  );

test(
  'A creation with an invalid value gets 422: targetValue is not a string.',
  rule('assignments.create.invalid-value'),
  async ({ assignments }) => {
    const body = await assignments.newBody();
    expectStatus(await assignments.create({ ...body, targetValue: Number(body.targetValue.slice(1)) }), 422);
    expectStatus(await assignments.create({ ...body, targetValue: [body.targetValue] }), 422);
    expectSuccess(OPERATION, await assignments.create(body), 201);
  },
);

refuses('assignments.create.unknown-user', 'A USER target whose id is unknown to the unified user store gets 422.', ['USER'], () => ({
  targetValue: UNKNOWN_TARGETS.USER(),
}));

test(
  'A number that is assigned to another AGENT Experience gets 422 if the Experience is of type AGENT, too.',
  rule('assignments.create.agent-number-taken'),
  async ({ need, assignments }) => {
    const [agent, secondAgent] = [await need('experience.agent'), await need('experience.second-agent')];
    const body = await assignments.newBody({ experienceId: agent });
    expectSuccess(OPERATION, await assignments.create(body), 201);
    expectStatus(await assignments.create({ ...body, experienceId: secondAgent }), 422);
    expectSuccess(OPERATION, await assignments.create(await assignments.newBody({ experienceId: secondAgent })), 201);
  },
);

for (const targetType of TARGET_TYPES) {
  test(`A target that is already assigned to the Experience is not assigned again and gets 409 or 422: ${targetType}.`, {
    ...rule('assignments.create.duplicate-refused'),
    lock,
  }, async ({ assignments }) => {
    const body = await assignments.newBody({ targetType });
    expectSuccess(OPERATION, await assignments.create(body), 201);
    expectStatus(await assignments.create(body), 409, 422);
  });
}

test(
  'Creating an assignment needs the scope experience-assignments:manage; a token without it never succeeds.',
  rule('assignments.create.scope'),
  async ({ need, assignments }) => {
    const body = await assignments.newBody();
    const { 'experience-assignments:manage': token } = await need('token.without-scope');
    expectRefused(await assignments.create(body, { token }));
    expectSuccess(OPERATION, await assignments.create(body), 201);
  },
);
