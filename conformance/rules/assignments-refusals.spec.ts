import type { OperationId } from '../../src/contract/generated/operations.ts';
import type { Client } from '../actors/api-client.ts';
import { type Assignment, TARGET_TYPES } from '../actors/assignments.ts';
import { foundIn, listAll } from '../actors/lists.ts';
import { type Change, expectChangeRefused, given, nameOf, type Refusal, refused } from '../actors/refusals.ts';
import { compareInstants, sameId } from '../expect/compare.ts';
import { expectRefused, expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { NewAssignment } from '../target/capabilities-of-events.ts';
import type { Need } from '../target/need.ts';
import { MALFORMED_TARGETS, MALFORMED_UUIDS, UNKNOWN_TARGETS, UNKNOWN_UUID, UNLISTED_TARGET_TYPE } from '../target/sample-values.ts';

const CREATE = 'createExperienceAssignment';
const GET = 'getExperienceAssignment';
const DELETE = 'deleteExperienceAssignment';
const LIST = 'getExperienceAssignments';
/** Checks that assign the main account take turns. */
const lock = 'account';

/** Valid bodies. */
const OF_NUMBER = { experienceId: given('experience'), targetType: 'PHONE_NUMBER', targetValue: given('numbers') };
const OF_USER = { experienceId: given('experience'), targetType: 'USER', targetValue: given('users') };
const OF_ACCOUNT = { experienceId: given('experience'), targetType: 'ACCOUNT', targetValue: given('account') };

const [ACCOUNT, EXPERIENCE, NUMBER, USER] = [given('account.any'), given('experience.any'), given('number.any'), given('user.any')];
const BY_NUMBER = { targetType: 'PHONE_NUMBER', targetValue: NUMBER };
const BY_USER = { targetType: 'USER', targetValue: USER };
const BY_ACCOUNT = { targetType: 'ACCOUNT', targetValue: ACCOUNT };
const BY_BOTH = { accountId: ACCOUNT, experienceId: EXPERIENCE };

const REFUSALS: Readonly<Partial<Record<OperationId, readonly Refusal[]>>> = {
  createExperienceAssignment: [
    ['assignments.create.scope', { as: 'without-scope' }],
    ...[OF_NUMBER, OF_USER, OF_ACCOUNT].flatMap((valid): Refusal[] => [
      ['assignments.create.target-value-format', { valid, values: { targetValue: MALFORMED_TARGETS[valid.targetType as 'USER'] } }, 422],
      // The format of another type.
      [
        'assignments.create.target-value-format',
        { valid, values: { targetValue: valid === OF_NUMBER ? UNKNOWN_UUID : '+99912345678901' } },
        422,
      ],
    ]),
    ...['experienceId', 'targetType', 'targetValue'].map(
      (name): Refusal => ['assignments.create.required-field', { values: { [name]: undefined } }, 422],
    ),
    // For two types of target: a server that takes an unknown type for a certain one would accept its target.
    ...[OF_NUMBER, OF_USER].flatMap((valid) =>
      [{ targetType: UNLISTED_TARGET_TYPE }, { targetType: null }, { targetType: 1 }, { targetValue: null }, { experienceId: null }].map(
        (values): Refusal => ['assignments.create.invalid-value', { valid, values }, 422],
      ),
    ),
    ['assignments.create.unknown-user', { valid: OF_USER, values: { targetValue: UNKNOWN_UUID } }, 422],
  ],
  getExperienceAssignment: [
    ['assignments.get.scope', { as: 'without-scope' }],
    ['assignments.get.not-found', { as: 'outsider' }, 404],
    ['assignments.get.not-found', { id: UNKNOWN_UUID }, 404],
    ['assignments.get.not-found', { id: 'no-such-assignment' }, 404],
  ],
  deleteExperienceAssignment: [
    ['assignments.delete.scope', { as: 'without-scope' }],
    ['assignments.delete.read-only', { as: 'reader' }, 403],
    ['assignments.delete.not-found', { as: 'outsider' }, 404],
    ['assignments.delete.not-found', { id: UNKNOWN_UUID }, 404],
    ['assignments.delete.not-found', { id: 'no-such-assignment' }, 404],
  ],
  getExperienceAssignments: [
    ['assignments.list.scope', { as: 'without-scope' }],
    ['assignments.list.filter-required', { values: { accountId: undefined } }, 400],
    ['assignments.list.filter-required', { valid: { accountId: ACCOUNT, pageSize: 10 }, values: { accountId: undefined } }, 400],
    ['assignments.list.value-needs-type', { valid: BY_NUMBER, values: { targetType: undefined } }, 400],
    ['assignments.list.value-needs-type', { values: { targetValue: NUMBER } }, 400],
    ...MALFORMED_UUIDS.flatMap((id): Refusal[] => [
      ['assignments.list.account-id-uuid', { values: { accountId: id } }, 400],
      ['assignments.list.experience-id-uuid', { valid: BY_BOTH, values: { experienceId: id } }, 400],
    ]),
    ['assignments.list.experience-needs-account', { valid: BY_BOTH, values: { accountId: undefined } }, 400],
    ['assignments.list.experience-needs-account', { valid: BY_NUMBER, values: { experienceId: EXPERIENCE } }, 400],
    ...[BY_NUMBER, BY_USER, BY_ACCOUNT].flatMap((valid): Refusal[] => [
      ['assignments.list.target-value-format', { valid, values: { targetValue: MALFORMED_TARGETS[valid.targetType as 'USER'] } }, 400],
      ['assignments.list.target-value-format', { valid, values: { targetValue: valid === BY_NUMBER ? USER : NUMBER } }, 400],
    ]),
    [
      'assignments.list.target-type-not-allowed',
      { valid: { accountId: ACCOUNT, targetType: 'USER' }, values: { targetType: UNLISTED_TARGET_TYPE } },
      400,
    ],
    ['assignments.list.target-type-not-allowed', { valid: BY_NUMBER, values: { targetType: UNLISTED_TARGET_TYPE } }, 400],
    ['assignments.list.target-type-not-allowed', { valid: BY_USER, values: { targetType: UNLISTED_TARGET_TYPE } }, 400],
    ['assignments.list.type-alone', { valid: { accountId: ACCOUNT, targetType: 'USER' }, values: { accountId: undefined } }, 400],
    ...['ten', '1.5', '10assignments'].map(
      (pageSize): Refusal => [
        'assignments.list.page-size-integer',
        { valid: { accountId: ACCOUNT, pageSize: 10 }, values: { pageSize } },
        400,
      ],
    ),
  ],
};

for (const [operation, refusals] of Object.entries(REFUSALS) as [OperationId, readonly Refusal[]][])
  for (const [id, change, ...statuses] of refusals)
    test(...rule(id, nameOf(change), change.valid === OF_ACCOUNT ? { lock } : {}), refused(operation, change, ...statuses));

test(...rule('assignments.create.invalid-value', 'targetValue is not a string'), async ({ assignments }) => {
  const body = await assignments.newBody();
  expectStatus(await assignments.create({ ...body, targetValue: Number(body.targetValue.slice(1)) }), 422);
  expectStatus(await assignments.create({ ...body, targetValue: [body.targetValue] }), 422);
  expectSuccess(CREATE, await assignments.create(body), 201);
});

test(...rule('assignments.create.agent-number-taken'), async ({ need, assignments }) => {
  const [agent, secondAgent] = [await need('experience.agent'), await need('experience.second-agent')];
  const body = await assignments.newBody({ experienceId: agent });
  expectSuccess(CREATE, await assignments.create(body), 201);
  expectStatus(await assignments.create({ ...body, experienceId: secondAgent }), 422);
  expectSuccess(CREATE, await assignments.create(await assignments.newBody({ experienceId: secondAgent })), 201);
});

for (const targetType of TARGET_TYPES) {
  test(...rule('assignments.create.duplicate-refused', targetType, { lock }), async ({ assignments }) => {
    const body = await assignments.newBody({ targetType });
    expectSuccess(CREATE, await assignments.create(body), 201);
    expectStatus(await assignments.create(body), 409, 422);
  });
}

test(...rule('assignments.delete.not-found', 'it is deleted'), async ({ assignments }) => {
  const { id } = await assignments.make();
  expectSuccess(DELETE, await assignments.remove(id), 204);
  expectStatus(await assignments.remove(id), 404);
});

/** @throws RuleBroken unless the target has exactly these assignments */
async function expectAssignments(
  api: Client,
  need: Need,
  { targetType, targetValue }: Pick<NewAssignment, 'targetType' | 'targetValue'>,
  expected: readonly Assignment[],
): Promise<void> {
  const list = await listAll(api, LIST, { token: await need('token'), query: { targetType, targetValue } });
  const isExact = list.length === expected.length && foundIn(list, expected).length === expected.length;
  must(isExact, `${targetValue} has the assignments it had, ${JSON.stringify(expected)}, not ${JSON.stringify(list)}`);
}

test(...rule('assignments.create.refused-changes-nothing', 'a duplicate'), async ({ api, need, assignments }) => {
  const created = await assignments.make();
  const { id, experienceId, targetType, targetValue } = created;
  const read = async () => expectSuccess<Assignment>(GET, await assignments.read(id), 200);
  const before = await read();
  expectRefused(await assignments.create({ experienceId, targetType, targetValue }));
  await expectAssignments(api, need, created, [created]);
  const after = await read();
  for (const field of ['experienceId', 'accountId', 'targetType', 'targetValue'] as const)
    must(sameId(after[field], before[field]), `its ${field} is still ${before[field]}, not ${after[field]}`);
  const isSame = compareInstants(before.updatedAt ?? '', after.updatedAt ?? '') === 0;
  must(isSame, `its updatedAt is still ${before.updatedAt}, not ${after.updatedAt}`);
});

test(...rule('assignments.create.refused-changes-nothing', 'a number of another AGENT'), async ({ api, need, assignments }) => {
  const created = await assignments.make({ experienceId: await need('experience.agent') });
  const { targetType, targetValue } = created;
  expectRefused(await assignments.create({ experienceId: await need('experience.second-agent'), targetType, targetValue }));
  await expectAssignments(api, need, created, [created]);
});

const CHANGES: readonly Change[] = [
  { values: { experienceId: undefined } },
  { values: { experienceId: null } },
  { values: { experienceId: UNKNOWN_UUID } },
  { as: 'reader' },
  { as: 'outsider' },
  { as: 'without-scope' },
];
for (const change of CHANGES) {
  test(...rule('assignments.create.refused-changes-nothing', nameOf(change)), async ({ api, need, calls, assignments }) => {
    const sample = await calls.sample(CREATE);
    const body = sample.values as unknown as NewAssignment;
    await expectChangeRefused({ api, need, calls }, CREATE, sample, change);
    await expectAssignments(api, need, body, []);
    expectSuccess(CREATE, await assignments.create(body), 201);
  });
}

test(...rule('assignments.create.refused-changes-nothing', 'the user is unknown'), async ({ api, need, assignments }) => {
  const body = await assignments.newBody({ targetType: 'USER' });
  const query = { targetType: 'USER', targetValue: UNKNOWN_TARGETS.USER() };
  expectRefused(await assignments.create({ ...body, ...query }));
  expectSuccess(CREATE, await assignments.create(body), 201);
  const answer = await api.call(LIST, { token: await need('token'), query });
  // A target may refuse to list the assignments of an unknown user.
  if (answer.status === 403 || answer.status === 404) return;
  must(expectSuccess<{ entities: unknown[] }>(LIST, answer, 200).entities.length === 0, 'the user has no assignments', answer);
});

for (const as of ['reader', 'outsider', 'without-scope'] as const) {
  test(...rule('assignments.delete.refused-changes-nothing', nameOf({ as })), async ({ api, need, calls, assignments }) => {
    const sample = await calls.sample(DELETE);
    await expectChangeRefused({ api, need, calls }, DELETE, sample, { as });
    expectSuccess(GET, await assignments.read(sample.id ?? ''), 200);
  });
}
