import { randomUUID } from 'node:crypto';
import type { Call, Client } from '../actors/api-client.ts';
import { freeTarget, TARGET_TYPES } from '../actors/assignments.ts';
import { sameId } from '../expect/compare.ts';
import { expectRefused, expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Capability } from '../target/capabilities.ts';
import type { TargetType } from '../target/capabilities-of-events.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import { MALFORMED_TARGETS, UNKNOWN_TARGETS, UNLISTED_TARGET_TYPE } from '../target/sample-values.ts';

const OPERATION = 'getExperienceAssignability';

/** A target that need not be found: any of the right form is answered. */
const ANY = { PHONE_NUMBER: 'number.any', USER: 'user.any', ACCOUNT: 'account.any' } as const;

/** A check that succeeds: the main Experience and a target, in reach where one is known. */
async function goodCheck(need: Need, targetType: TargetType = 'PHONE_NUMBER') {
  const path = { experienceId: await need('experience') };
  return { token: await need('token'), path, query: { targetType, targetValue: await need(ANY[targetType]) } } satisfies Call;
}

/** The targets that a result is seen for: one in reach where one is known, and one that cannot be found. */
async function targetsOf(need: Need, targetType: TargetType): Promise<readonly string[]> {
  return [await need(ANY[targetType]), UNKNOWN_TARGETS[targetType]()];
}

/** The twin that succeeds, then the same with one change. */
async function refusedCheck(api: Client, good: Call, change: Call, status: number): Promise<void> {
  expectSuccess(OPERATION, await api.call(OPERATION, good), 200);
  expectStatus(await api.call(OPERATION, { ...good, ...change }), status);
}

for (const targetType of TARGET_TYPES) {
  test(
    `The result carries experienceId, targetType, targetValue and a boolean assignable: ${targetType}.`,
    rule('assignability.shape'),
    async ({ api, need }) => {
      const good = await goodCheck(need, targetType);
      for (const targetValue of await targetsOf(need, targetType)) {
        const answer = await api.call(OPERATION, { ...good, query: { targetType, targetValue } });
        const { assignable } = expectSuccess(OPERATION, answer, 200);
        must(typeof assignable === 'boolean', 'assignable is a boolean', answer);
      }
    },
  );

  test(
    `The result names the Experience, target type and target value that were checked: ${targetType}.`,
    rule('assignability.echo'),
    async ({ api, need }) => {
      const good = await goodCheck(need, targetType);
      for (const targetValue of await targetsOf(need, targetType)) {
        const answer = await api.call(OPERATION, { ...good, query: { targetType, targetValue } });
        const result = expectSuccess(OPERATION, answer, 200);
        must(sameId(result.experienceId, good.path.experienceId), 'the Experience checked is named', answer);
        must(result.targetType === targetType && sameId(result.targetValue, targetValue), 'the target checked is named', answer);
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
      const good = await goodCheck(need, targetType);
      const ofAnother = UNKNOWN_TARGETS[targetType === 'PHONE_NUMBER' ? 'USER' : 'PHONE_NUMBER']();
      for (const targetValue of [MALFORMED_TARGETS[targetType], ofAnother])
        await refusedCheck(api, good, { query: { targetType, targetValue } }, 400);
    },
  );
}

for (const targetType of ['PHONE_NUMBER', 'USER'] as const) {
  test(
    `assignable is true for a target in reach that the Experience can be assigned to: ${targetType}.`,
    rule('assignability.free-target-true'),
    async ({ api, need }) => {
      const good = await goodCheck(need);
      const query = { targetType, targetValue: await freeTarget(need, targetType) };
      const answer = await api.call(OPERATION, { ...good, query });
      must(expectSuccess(OPERATION, answer, 200).assignable === true, 'assignable is true', answer);
    },
  );
}

/** What has to be there before, and the Experience that can be assigned then all the same. */
const ALSO_ASSIGNABLE = [
  ['ACCOUNT', undefined, 'experience'],
  ['PHONE_NUMBER', 'experience.agent', 'experience'],
  ['PHONE_NUMBER', 'experience', 'experience.agent'],
  ['USER', 'experience.agent', 'experience.second-agent'],
] as const;

for (const [targetType, assigned, experience] of ALSO_ASSIGNABLE) {
  test(`assignable is true for a target in reach that the Experience can be assigned to: ${targetType}${assigned ? `, ${experience} beside ${assigned}` : ''}.`, {
    ...rule('assignability.free-target-true'),
    // There is one main account, so checks that assign it take turns.
    ...(targetType === 'ACCOUNT' && { lock: 'account' }),
  }, async ({ api, need, assignments }) => {
    const wanted = await assignments.newBody({ targetType, experienceId: await need(experience, 'write') });
    if (assigned) await assignments.make({ ...wanted, experienceId: await need(assigned) });
    const query = { targetType, targetValue: wanted.targetValue };
    const answer = await api.call(OPERATION, { token: await need('token'), path: { experienceId: wanted.experienceId }, query });
    const { assignable } = expectSuccess(OPERATION, answer, 200);
    // The specification shows no type of Experience but AGENT: that this one can be assigned is what shows that it could.
    const created = await assignments.create(wanted);
    if (created.status !== 201) notTestable(`a creation, which was answered with ${created.status}`);
    must(assignable === true, 'assignable is true', answer);
  });
}

test(
  'A token without the scope experience-assignability:check is never answered with expectSuccess.',
  rule('assignability.scope'),
  async ({ api, need }) => {
    const good = await goodCheck(need);
    const { 'experience-assignability:check': token } = await need('token.without-scope');
    expectSuccess(OPERATION, await api.call(OPERATION, good), 200);
    expectRefused(await api.call(OPERATION, { ...good, token }));
  },
);

for (const missing of ['targetType', 'targetValue'] as const) {
  test(
    `A check without targetType or without targetValue gets 400: ${missing}.`,
    rule('assignability.target-missing'),
    async ({ api, need }) => {
      const good = await goodCheck(need);
      await refusedCheck(api, good, { query: { ...good.query, [missing]: undefined } }, 400);
    },
  );
}

test('A targetType that is not an allowed value gets 400.', rule('assignability.target-type-not-allowed'), async ({ api, need }) => {
  const good = await goodCheck(need);
  for (const targetValue of [good.query.targetValue, await need('user.any')])
    await refusedCheck(api, good, { query: { targetType: UNLISTED_TARGET_TYPE, targetValue } }, 400);
});

test(
  'A caller that may read the Experience but not check its assignability gets 403.',
  rule('assignability.read-only'),
  async ({ api, need }) => {
    await refusedCheck(api, await goodCheck(need), { path: { experienceId: await need('experience.read-only') } }, 403);
  },
);

const UNREACHABLE: Readonly<Record<string, (need: Need) => string | Promise<string>>> = {
  'one that does not exist': () => randomUUID(),
  'one whose id is no UUID': () => 'no-such-experience',
  'one that is hidden': (need) => need('experience.hidden' satisfies Capability),
};

for (const [which, experience] of Object.entries(UNREACHABLE)) {
  test(
    `An Experience that does not exist, or that the caller has no access to, gets 404: ${which}.`,
    rule('assignability.not-found'),
    async ({ api, need }) => {
      await refusedCheck(api, await goodCheck(need), { path: { experienceId: await experience(need) } }, 404);
    },
  );
}
