import type { Client } from '../actors/api-client.ts';
import { freeTarget } from '../actors/assignments.ts';
import { observe, questionOf } from '../expect/observed.ts';
import { requireSuccess } from '../expect/response.ts';
import { test } from '../runner/test.ts';
import type { NewAssignment } from '../target/capabilities-of-events.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';

const OPERATION = 'getExperienceAssignability';

async function isAssignable(api: Client, need: Need, { experienceId, ...query }: NewAssignment): Promise<boolean | undefined> {
  const answer = await api.call(OPERATION, { token: await need('token'), path: { experienceId }, query });
  const { assignable } = requireSuccess('a check of assignability', answer).json as { assignable?: unknown };
  return typeof assignable === 'boolean' ? assignable : undefined;
}

/** A server that calls nothing assignable does not say why. */
async function mustBeAssignable(api: Client, need: Need, target: NewAssignment): Promise<void> {
  if ((await isAssignable(api, need, target)) !== true) notTestable('a target that is assignable before');
}

test(questionOf('assignability.already-assigned'), async ({ api, need, assignments }) => {
  const target = await assignments.newBody();
  await mustBeAssignable(api, need, target);
  await assignments.make(target);
  observe('assignability.already-assigned', await isAssignable(api, need, target));
});

test(questionOf('assignability.agent-conflict'), async ({ api, need, assignments }) => {
  const target = await assignments.newBody({ experienceId: await need('experience.second-agent') });
  await mustBeAssignable(api, need, target);
  await assignments.make({ ...target, experienceId: await need('experience.agent') });
  observe('assignability.agent-conflict', await isAssignable(api, need, target));
});

test(questionOf('assignability.hidden-target'), async ({ api, need }) => {
  const experienceId = await need('experience');
  await mustBeAssignable(api, need, { experienceId, targetType: 'USER', targetValue: await freeTarget(need, 'USER') });
  const targetValue = await need('user.hidden');
  observe('assignability.hidden-target', await isAssignable(api, need, { experienceId, targetType: 'USER', targetValue }));
});
