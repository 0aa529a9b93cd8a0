import { must } from '../../src/expect/rule-broken.ts';
import { isSameId } from '../../src/expect/same-id.ts';
import { TARGET_TYPES, UNKNOWN_TARGETS } from '../../src/refusals/hostile-values.ts';
import type { Client } from '../actors/api-client.ts';
import { getUnassignedTarget, TARGET_VALUE_CAPABILITIES } from '../actors/assignments.ts';
import { listRefusalChecks } from '../actors/refusals.ts';
import { expectSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need, NewAssignment } from '../target/capabilities.ts';

const OPERATION = 'getExperienceAssignability';

async function checkAssignability(api: Client, need: Need, query: Pick<NewAssignment, 'targetType' | 'targetValue'>) {
  const path = { experienceId: await need('experience') };
  const answer = await api.call(OPERATION, { token: await need('token'), path, query });
  return { answer, ...path, result: expectSuccess(answer, 200) };
}

for (const targetType of TARGET_TYPES) {
  test(...rule('assignability.shape', targetType), async ({ api, need }) => {
    for (const targetValue of [await need(TARGET_VALUE_CAPABILITIES[targetType]), UNKNOWN_TARGETS[targetType]]) {
      const { answer, result } = await checkAssignability(api, need, { targetType, targetValue });
      must(typeof result.assignable === 'boolean', 'assignable is a boolean', answer);
    }
  });

  test(...rule('assignability.echo', targetType), async ({ api, need }) => {
    for (const targetValue of [await need(TARGET_VALUE_CAPABILITIES[targetType]), UNKNOWN_TARGETS[targetType]]) {
      const { answer, experienceId, result } = await checkAssignability(api, need, { targetType, targetValue });
      must(isSameId(result.experienceId, experienceId), 'experienceId is the id in the request', answer);
      must(
        result.targetType === targetType && isSameId(result.targetValue, targetValue),
        'targetType and targetValue match the request',
        answer,
      );
    }
  });

  test(...rule('assignability.unknown-target-false', targetType), async ({ api, need }) => {
    const { answer, result } = await checkAssignability(api, need, { targetType, targetValue: UNKNOWN_TARGETS[targetType] });
    must(result.assignable === false, 'assignable is false', answer);
  });
}

for (const targetType of ['PHONE_NUMBER', 'USER'] as const) {
  test(...rule('assignability.free-target-true', targetType), async ({ api, need }) => {
    const { answer, result } = await checkAssignability(api, need, {
      targetType,
      targetValue: await getUnassignedTarget(need, targetType),
    });
    must(result.assignable === true, 'assignable is true', answer);
  });
}

for (const { id, variant, check } of listRefusalChecks('assignability.')) test(...rule(id, variant), check);
