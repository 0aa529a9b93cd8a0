import { must } from '../../src/expect/rule-broken.ts';
import { HOSTILE_TARGETS, TARGET_TYPES } from '../../src/refusals/hostile-values.ts';
import type { Assignment } from '../actors/assignments.ts';
import { sendForEach } from '../actors/in-parallel.ts';
import { filterListed, requestAllEntities } from '../actors/lists.ts';
import { expectChangeRefused, listRefusalChecks } from '../actors/refusals.ts';
import { expectRefused, expectStatus, expectSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { endAsNotApplicable, endAsNotTestable } from '../target/check-report.ts';

const CREATE = 'createExperienceAssignment';
const DELETE = 'deleteExperienceAssignment';
const LIST = 'getExperienceAssignments';
/** Checks that assign the same account run one at a time. */
const lock = 'account';

for (const { id, operation, variant, check } of listRefusalChecks('assignments.'))
  test(...rule(id, variant, operation === CREATE ? { lock } : {}), check);

test(...rule('assignments.create.target-value-format', 'invalid targetValue, ACCOUNT', { lock }), async ({ api, assignments }) => {
  const body = await assignments.createBody({ targetType: 'ACCOUNT' });
  await sendForEach(api, CREATE, HOSTILE_TARGETS.ACCOUNT, async ({ value: targetValue }) =>
    expectStatus(await assignments.create({ ...body, targetValue }), 422),
  );
  expectSuccess(await assignments.create(body), 201);
});

test(...rule('assignments.create.invalid-value', 'targetValue is not a string'), async ({ assignments }) => {
  const body = await assignments.createBody();
  expectStatus(await assignments.create({ ...body, targetValue: 7 }), 422);
  expectStatus(await assignments.create({ ...body, targetValue: [body.targetValue] }), 422);
  expectSuccess(await assignments.create(body), 201);
});

test(...rule('assignments.create.agent-number-taken'), async ({ need, assignments }) => {
  const [agent, secondAgent] = [await need('experience.agent'), await need('experience.second-agent')];
  const body = await assignments.createBody({ experienceId: agent });
  expectStatus(await assignments.create(body), 201);
  expectStatus(await assignments.create({ ...body, experienceId: secondAgent }), 422);
  expectSuccess(await assignments.create(await assignments.createBody({ experienceId: secondAgent })), 201);
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
  expectSuccess(await assignments.remove(id), 204);
  expectStatus(await assignments.remove(id), 404);
});

for (const [what, account, experience] of [
  ['account', 'account.hidden', 'experience'],
  ['Experience', 'account', 'experience.hidden'],
] as const) {
  for (const id of ['assignments.delete.not-found', 'assignments.list.only-visible'] as const) {
    test(...rule(id, `an assignment of a hidden ${what}`, { lock }), async ({ api, need, operator, assignments }) => {
      const actions = await operator('platform.assignments');
      const [targetValue, experienceId] = [await need(account), await need(experience)];
      const assignmentId = await actions
        .create({ experienceId, targetType: 'ACCOUNT', targetValue })
        .catch(() => endAsNotApplicable(`the platform cannot assign a hidden ${what}`));
      try {
        // The specification does not say whether a caller must have access to both.
        if ((await assignments.read(assignmentId)).status !== 404) endAsNotTestable('the token may read the assignment');
        if (id === 'assignments.delete.not-found') expectStatus(await assignments.remove(assignmentId), 404);
        else {
          const answer = await api.call(LIST, { token: await need('token'), query: { targetType: 'ACCOUNT', targetValue } });
          must(!answer.text.includes(assignmentId), 'the list does not contain the assignment', answer);
        }
      } finally {
        // Fails if the target has deleted the assignment, which the check reports.
        await actions.remove(assignmentId).catch(() => {});
      }
    });
  }
}

test(...rule('assignments.create.refused-changes-nothing'), async ({ api, need, assignments }) => {
  const created = await assignments.createOrThrow();
  const { id, experienceId, targetType, targetValue } = created;
  const readMembers = async () => {
    const { updatedAt, ...members } = expectSuccess<Assignment>(await assignments.read(id), 200);
    return JSON.stringify([updatedAt, members.experienceId, members.accountId, members.targetType, members.targetValue]);
  };
  const before = await readMembers();
  expectRefused(await assignments.create({ experienceId, targetType, targetValue }));
  const list = await requestAllEntities(api, LIST, { token: await need('token'), query: { targetType, targetValue } });
  must(list.length === 1 && filterListed(list, [created]).length === 1, `the only assignment of ${targetValue} is still ${id}`);
  const after = await readMembers();
  must(after === before, `the assignment is still ${before}, not ${after}`);
});

test(...rule('assignments.delete.refused-changes-nothing'), async ({ api, need, calls, assignments }) => {
  const sample = await calls.createSample(DELETE);
  await expectChangeRefused({ api, need, calls }, DELETE, sample, { as: 'reader' });
  expectSuccess(await assignments.read(sample.id ?? ''), 200);
});
