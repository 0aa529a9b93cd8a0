import type { OperationId } from '../../src/contract/generated/operations.ts';
import type { Client } from '../actors/api-client.ts';
import { type Assignment, TARGET_TYPES, TARGET_VALUE_CAPABILITIES, UNASSIGNED_TARGET_CAPABILITIES } from '../actors/assignments.ts';
import { filterListed, requestAllEntities } from '../actors/lists.ts';
import {
  type CallChange,
  createCapabilityPlaceholder,
  createRefusalCheck,
  describeChange,
  expectChangeRefused,
  type Refusal,
} from '../actors/refusals.ts';
import { compareInstants, isSameId } from '../expect/compare.ts';
import { expectRefused, expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { NewAssignment, TargetType } from '../target/capabilities.ts';
import type { Need } from '../target/need.ts';
import { INVALID_TARGET_VALUES, MALFORMED_UUIDS, UNKNOWN_UUID, UNLISTED_TARGET_TYPE } from '../target/sample-values.ts';

const CREATE = 'createExperienceAssignment';
const GET = 'getExperienceAssignment';
const DELETE = 'deleteExperienceAssignment';
const LIST = 'getExperienceAssignments';
/** Checks that assign the same account run one at a time. */
const lock = 'account';

const createBody = (targetType: TargetType) => ({
  experienceId: createCapabilityPlaceholder('experience'),
  targetType,
  targetValue: createCapabilityPlaceholder(UNASSIGNED_TARGET_CAPABILITIES[targetType]),
});
const createQuery = (targetType: TargetType) => ({
  targetType,
  targetValue: createCapabilityPlaceholder(TARGET_VALUE_CAPABILITIES[targetType]),
});

const [ACCOUNT, EXPERIENCE, NUMBER] = [
  createCapabilityPlaceholder('account.any'),
  createCapabilityPlaceholder('experience.any'),
  createCapabilityPlaceholder('number.any'),
];
const QUERY_BY_ACCOUNT_AND_EXPERIENCE = { accountId: ACCOUNT, experienceId: EXPERIENCE };
const QUERY_BY_ACCOUNT_AND_TYPE = { accountId: ACCOUNT, targetType: 'USER' };
const UNLISTED_TYPE_QUERY = { targetType: UNLISTED_TARGET_TYPE };

const REFUSALS: Readonly<Partial<Record<OperationId, readonly Refusal[]>>> = {
  createExperienceAssignment: [
    ['assignments.create.scope', { as: 'without-scope' }],
    ...(['PHONE_NUMBER', 'USER'] as const).flatMap((targetType) =>
      INVALID_TARGET_VALUES[targetType].map((targetValue): Refusal => {
        return ['assignments.create.target-value-format', { valid: createBody(targetType), values: { targetValue } }, 422];
      }),
    ),
    ...['experienceId', 'targetType', 'targetValue'].map(
      (name): Refusal => ['assignments.create.required-field', { values: { [name]: undefined } }, 422],
    ),
    // A server that treats an unknown type as PHONE_NUMBER or USER accepts one of these values.
    ...(['PHONE_NUMBER', 'USER'] as const).flatMap((targetType) =>
      [UNLISTED_TYPE_QUERY, { targetType: null }, { targetType: 1 }, { targetValue: null }, { experienceId: null }].map(
        (values): Refusal => ['assignments.create.invalid-value', { valid: createBody(targetType), values }, 422],
      ),
    ),
    ['assignments.create.unknown-user', { valid: createBody('USER'), values: { targetValue: UNKNOWN_UUID } }, 422],
  ],
  getExperienceAssignment: [
    ['assignments.get.scope', { as: 'without-scope' }],
    ['assignments.get.not-found', { as: 'outsider' }, 404],
    ['assignments.get.not-found', { id: UNKNOWN_UUID }, 404],
    ['assignments.get.not-found', { id: 'no-such-assignment' }, 404, 400],
  ],
  deleteExperienceAssignment: [
    ['assignments.delete.scope', { as: 'without-scope' }],
    ['assignments.delete.read-only', { as: 'reader' }, 403],
    ['assignments.delete.not-found', { as: 'outsider' }, 404],
    ['assignments.delete.not-found', { id: UNKNOWN_UUID }, 404],
    ['assignments.delete.not-found', { id: 'no-such-assignment' }, 404, 400],
  ],
  getExperienceAssignments: [
    ['assignments.list.scope', { as: 'without-scope' }],
    ['assignments.list.filter-required', { values: { accountId: undefined } }, 400],
    ['assignments.list.filter-required', { valid: { accountId: ACCOUNT, pageSize: 10 }, values: { accountId: undefined } }, 400],
    ['assignments.list.value-needs-type', { valid: createQuery('PHONE_NUMBER'), values: { targetType: undefined } }, 400],
    ['assignments.list.value-needs-type', { values: { targetValue: NUMBER } }, 400],
    ...MALFORMED_UUIDS.flatMap((id): Refusal[] => [
      ['assignments.list.account-id-uuid', { values: { accountId: id } }, 400],
      ['assignments.list.experience-id-uuid', { valid: QUERY_BY_ACCOUNT_AND_EXPERIENCE, values: { experienceId: id } }, 400],
    ]),
    ['assignments.list.experience-needs-account', { valid: QUERY_BY_ACCOUNT_AND_EXPERIENCE, values: { accountId: undefined } }, 400],
    ['assignments.list.experience-needs-account', { valid: createQuery('PHONE_NUMBER'), values: { experienceId: EXPERIENCE } }, 400],
    ...TARGET_TYPES.flatMap((targetType) =>
      INVALID_TARGET_VALUES[targetType].map((targetValue): Refusal => {
        return ['assignments.list.target-value-format', { valid: createQuery(targetType), values: { targetValue } }, 400];
      }),
    ),
    ...[QUERY_BY_ACCOUNT_AND_TYPE, createQuery('PHONE_NUMBER'), createQuery('USER')].map(
      (valid): Refusal => ['assignments.list.target-type-not-allowed', { valid, values: UNLISTED_TYPE_QUERY }, 400],
    ),
    ['assignments.list.type-alone', { valid: QUERY_BY_ACCOUNT_AND_TYPE, values: { accountId: undefined } }, 400],
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
    test(...rule(id, describeChange(change), operation === CREATE ? { lock } : {}), createRefusalCheck(operation, change, ...statuses));

for (const targetValue of INVALID_TARGET_VALUES.ACCOUNT) {
  test(...rule('assignments.create.target-value-format', `targetValue ${targetValue}, ACCOUNT`, { lock }), async ({ assignments }) => {
    const body = await assignments.createBody({ targetType: 'ACCOUNT' });
    expectStatus(await assignments.create({ ...body, targetValue }), 422);
    expectSuccess(CREATE, await assignments.create(body), 201);
  });
}

test(...rule('assignments.create.invalid-value', 'targetValue is not a string'), async ({ assignments }) => {
  const body = await assignments.createBody();
  expectStatus(await assignments.create({ ...body, targetValue: Number(body.targetValue.slice(1)) }), 422);
  expectStatus(await assignments.create({ ...body, targetValue: [body.targetValue] }), 422);
  expectSuccess(CREATE, await assignments.create(body), 201);
});

test(...rule('assignments.create.agent-number-taken'), async ({ need, assignments }) => {
  const [agent, secondAgent] = [await need('experience.agent'), await need('experience.second-agent')];
  const body = await assignments.createBody({ experienceId: agent });
  expectStatus(await assignments.create(body), 201);
  expectStatus(await assignments.create({ ...body, experienceId: secondAgent }), 422);
  expectSuccess(CREATE, await assignments.create(await assignments.createBody({ experienceId: secondAgent })), 201);
});

for (const targetType of TARGET_TYPES) {
  test(...rule('assignments.create.duplicate-refused', targetType, { lock }), async ({ assignments }) => {
    const body = await assignments.createBody({ targetType });
    expectStatus(await assignments.create(body), 201);
    expectStatus(await assignments.create(body), 409, 422);
  });
}

test(...rule('assignments.delete.not-found', 'an assignment that is already deleted'), async ({ assignments }) => {
  const { id } = await assignments.createOrThrow();
  expectSuccess(DELETE, await assignments.remove(id), 204);
  expectStatus(await assignments.remove(id), 404);
});

async function expectAssignments(
  api: Client,
  need: Need,
  { targetType, targetValue }: Pick<NewAssignment, 'targetType' | 'targetValue'>,
  expected: readonly Assignment[],
): Promise<void> {
  const list = await requestAllEntities(api, LIST, { token: await need('token'), query: { targetType, targetValue } });
  const isExact = list.length === expected.length && filterListed(list, expected).length === expected.length;
  must(isExact, `the assignments of ${targetValue} are still ${JSON.stringify(expected)}, not ${JSON.stringify(list)}`);
}

test(...rule('assignments.create.refused-changes-nothing', 'a duplicate'), async ({ api, need, assignments }) => {
  const created = await assignments.createOrThrow();
  const { id, experienceId, targetType, targetValue } = created;
  const answers = [await assignments.read(id)];
  expectRefused(await assignments.create({ experienceId, targetType, targetValue }));
  await expectAssignments(api, need, created, [created]);
  answers.push(await assignments.read(id));
  const [before, after] = answers.map((answer) => expectSuccess<Assignment>(GET, answer, 200)) as [Assignment, Assignment];
  for (const field of ['experienceId', 'accountId', 'targetType', 'targetValue'] as const)
    must(isSameId(after[field], before[field]), `${field} of the assignment is still ${before[field]}, not ${after[field]}`);
  const isSame = compareInstants(before.updatedAt ?? '', after.updatedAt ?? '') === 0;
  must(isSame, `updatedAt of the assignment is still ${before.updatedAt}, not ${after.updatedAt}`);
});

test(
  ...rule('assignments.create.refused-changes-nothing', 'a number assigned to another AGENT Experience'),
  async ({ api, need, assignments }) => {
    const created = await assignments.createOrThrow({ experienceId: await need('experience.agent') });
    const { targetType, targetValue } = created;
    expectRefused(await assignments.create({ experienceId: await need('experience.second-agent'), targetType, targetValue }));
    await expectAssignments(api, need, created, [created]);
  },
);

const CHANGES: readonly CallChange[] = [
  { values: { experienceId: undefined } },
  { values: { experienceId: null } },
  { values: { experienceId: UNKNOWN_UUID } },
  { as: 'reader' },
  { as: 'outsider' },
  { as: 'without-scope' },
];
for (const change of CHANGES) {
  test(...rule('assignments.create.refused-changes-nothing', describeChange(change)), async ({ api, need, calls, assignments }) => {
    const sample = await calls.createSample(CREATE);
    const body = sample.values as unknown as NewAssignment;
    await expectChangeRefused({ api, need, calls }, CREATE, sample, change);
    await expectAssignments(api, need, body, []);
    expectSuccess(CREATE, await assignments.create(body), 201);
  });
}

test(...rule('assignments.create.refused-changes-nothing', 'an unknown user'), async ({ api, need, assignments }) => {
  const body = await assignments.createBody({ targetType: 'USER' });
  const query = { targetType: 'USER', targetValue: UNKNOWN_UUID };
  expectRefused(await assignments.create({ ...body, ...query }));
  expectSuccess(CREATE, await assignments.create(body), 201);
  const answer = await api.call(LIST, { token: await need('token'), query });
  // A target may refuse to list an unknown user's assignments.
  if (answer.status === 403 || answer.status === 404) return;
  must(expectSuccess<{ entities: unknown[] }>(LIST, answer, 200).entities.length === 0, 'an unknown user has no assignments', answer);
});

for (const as of ['reader', 'outsider', 'without-scope'] as const) {
  test(...rule('assignments.delete.refused-changes-nothing', describeChange({ as })), async ({ api, need, calls, assignments }) => {
    const sample = await calls.createSample(DELETE);
    await expectChangeRefused({ api, need, calls }, DELETE, sample, { as });
    expectSuccess(GET, await assignments.read(sample.id ?? ''), 200);
  });
}
