import { HOSTILE_TARGETS, TARGET_TYPES, UNKNOWN_UUID } from '../../src/refusals/hostile-values.ts';
import type { CallChange } from '../../src/refusals/refusal.ts';
import type { Client } from '../actors/api-client.ts';
import type { Assignment } from '../actors/assignments.ts';
import { filterListed, requestAllEntities } from '../actors/lists.ts';
import { describeChange, expectChangeRefused, listRefusalChecks } from '../actors/refusals.ts';
import { compareInstants, isSameId } from '../expect/compare.ts';
import { expectRefused, expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { NewAssignment } from '../target/capabilities.ts';
import type { Need } from '../target/need.ts';

const CREATE = 'createExperienceAssignment';
const GET = 'getExperienceAssignment';
const DELETE = 'deleteExperienceAssignment';
const LIST = 'getExperienceAssignments';
/** Checks that assign the same account run one at a time. */
const lock = 'account';

for (const { id, operation, variant, check } of listRefusalChecks('assignments.'))
  test(...rule(id, variant, operation === CREATE ? { lock } : {}), check);

for (const { value: targetValue } of HOSTILE_TARGETS.ACCOUNT) {
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
