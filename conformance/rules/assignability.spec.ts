import { randomUUID } from 'node:crypto';
import type { Call, Client } from '../actors/api-client.ts';
import { freeTarget, TARGET_TYPES } from '../actors/assignments.ts';
import { sameId } from '../expect/compare.ts';
import { expectRefused, expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { TargetType } from '../target/capabilities-of-events.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import { MALFORMED_TARGETS, UNKNOWN_TARGETS, UNLISTED_TARGET_TYPE } from '../target/sample-values.ts';

const OPERATION = 'getExperienceAssignability';

/** Targets of the right format, accessible if the target gives one. */
const ANY_TARGET = { PHONE_NUMBER: 'number.any', USER: 'user.any', ACCOUNT: 'account.any' } as const;

/** A valid check of the main Experience. */
async function validCall(need: Need, targetType: TargetType = 'PHONE_NUMBER') {
  const path = { experienceId: await need('experience') };
  return { token: await need('token'), path, query: { targetType, targetValue: await need(ANY_TARGET[targetType]) } } satisfies Call;
}

/** Expects the valid call to succeed, and the call with the change to be refused. */
async function expectRefusal(api: Client, valid: Call, change: Call, status: number): Promise<void> {
  expectSuccess(OPERATION, await api.call(OPERATION, valid), 200);
  expectStatus(await api.call(OPERATION, { ...valid, ...change }), status);
}

for (const targetType of TARGET_TYPES) {
  test(
    `The result carries experienceId, targetType, targetValue and a boolean assignable: ${targetType}.`,
    rule('assignability.shape'),
    async ({ api, need }) => {
      const call = await validCall(need, targetType);
      for (const targetValue of [call.query.targetValue, UNKNOWN_TARGETS[targetType]()]) {
        const answer = await api.call(OPERATION, { ...call, query: { targetType, targetValue } });
        const { assignable } = expectSuccess(OPERATION, answer, 200);
        must(typeof assignable === 'boolean', 'assignable is a boolean', answer);
      }
    },
  );

  test(
    `The result names the Experience, target type and target value that were checked: ${targetType}.`,
    rule('assignability.echo'),
    async ({ api, need }) => {
      const call = await validCall(need, targetType);
      for (const targetValue of [call.query.targetValue, UNKNOWN_TARGETS[targetType]()]) {
        const answer = await api.call(OPERATION, { ...call, query: { targetType, targetValue } });
        const result = expectSuccess(OPERATION, answer, 200);
        must(sameId(result.experienceId, call.path.experienceId), 'it names the Experience', answer);
        must(result.targetType === targetType && sameId(result.targetValue, targetValue), 'it names the target', answer);
      }
    },
  );

  test(
    `assignable is false when the target cannot be found: ${targetType}.`,
    rule('assignability.unknown-target-false'),
    async ({ api, need }) => {
      const path = { experienceId: await need('experience') };
      const query = { targetType, targetValue: UNKNOWN_TARGETS[targetType]() };
      const answer = await api.call(OPERATION, { token: await need('token'), path, query });
      must(expectSuccess(OPERATION, answer, 200).assignable === false, 'assignable is false', answer);
    },
  );

  test(
    `A targetValue that does not match the format of its targetType gets 400: ${targetType}.`,
    rule('assignability.target-value-format'),
    async ({ api, need }) => {
      const call = await validCall(need, targetType);
      const ofAnotherType = UNKNOWN_TARGETS[targetType === 'PHONE_NUMBER' ? 'USER' : 'PHONE_NUMBER']();
      await expectRefusal(api, call, { query: { targetType, targetValue: MALFORMED_TARGETS[targetType] } }, 400);
      await expectRefusal(api, call, { query: { targetType, targetValue: ofAnotherType } }, 400);
    },
  );
}

const ASSIGNABLE = 'assignable is true for an accessible target that the Experience can be assigned to';

for (const targetType of ['PHONE_NUMBER', 'USER'] as const) {
  test(`${ASSIGNABLE}: ${targetType}.`, rule('assignability.free-target-true'), async ({ api, need }) => {
    const query = { targetType, targetValue: await freeTarget(need, targetType) };
    const answer = await api.call(OPERATION, { ...(await validCall(need)), query });
    must(expectSuccess(OPERATION, answer, 200).assignable === true, 'assignable is true', answer);
  });
}

for (const [targetType, experience, assigned] of [
  ['ACCOUNT', 'experience', undefined],
  ['PHONE_NUMBER', 'experience', 'experience.agent'],
  ['PHONE_NUMBER', 'experience.agent', 'experience'],
  ['USER', 'experience.second-agent', 'experience.agent'],
] as const) {
  test(`${ASSIGNABLE}: ${targetType}${assigned ? `, ${experience} after ${assigned} was assigned` : ''}.`, {
    ...rule('assignability.free-target-true'),
    // Checks that assign the main account take turns.
    ...(targetType === 'ACCOUNT' && { lock: 'account' }),
  }, async ({ api, need, assignments }) => {
    const body = await assignments.newBody({ targetType, experienceId: await need(experience, 'write') });
    if (assigned) await assignments.make({ ...body, experienceId: await need(assigned) });
    const query = { targetType, targetValue: body.targetValue };
    const answer = await api.call(OPERATION, { token: await need('token'), path: { experienceId: body.experienceId }, query });
    const { assignable } = expectSuccess(OPERATION, answer, 200);
    // The specification shows only the type AGENT, so only the creation shows that this Experience could be assigned.
    const created = await assignments.create(body);
    if (created.status !== 201) notTestable(`a creation, which was answered with ${created.status}`);
    must(assignable === true, 'assignable is true', answer);
  });
}

test('A token without the scope experience-assignability:check never succeeds.', rule('assignability.scope'), async ({ api, need }) => {
  const call = await validCall(need);
  const { 'experience-assignability:check': token } = await need('token.without-scope');
  expectSuccess(OPERATION, await api.call(OPERATION, call), 200);
  expectRefused(await api.call(OPERATION, { ...call, token }));
});

for (const missing of ['targetType', 'targetValue'] as const) {
  test(
    `A check without targetType or without targetValue gets 400: without ${missing}.`,
    rule('assignability.target-missing'),
    async ({ api, need }) => {
      const call = await validCall(need);
      await expectRefusal(api, call, { query: { ...call.query, [missing]: undefined } }, 400);
    },
  );
}

test('A targetType that is not an allowed value gets 400.', rule('assignability.target-type-not-allowed'), async ({ api, need }) => {
  const call = await validCall(need);
  for (const targetValue of [call.query.targetValue, await need('user.any')])
    await expectRefusal(api, call, { query: { targetType: UNLISTED_TARGET_TYPE, targetValue } }, 400);
});

test(
  'A caller that may read the Experience but not check its assignability gets 403.',
  rule('assignability.read-only'),
  async ({ api, need }) => {
    await expectRefusal(api, await validCall(need), { path: { experienceId: await need('experience.read-only') } }, 403);
  },
);

for (const [variant, experienceId] of [
  ['it does not exist', async () => randomUUID()],
  ['its id is no UUID', async () => 'no-such-experience'],
  ['the caller has no access', (need: Need) => need('experience.hidden')],
] as const) {
  test(
    `An Experience that does not exist, or that the caller has no access to, gets 404: ${variant}.`,
    rule('assignability.not-found'),
    async ({ api, need }) => {
      await expectRefusal(api, await validCall(need), { path: { experienceId: await experienceId(need) } }, 404);
    },
  );
}
