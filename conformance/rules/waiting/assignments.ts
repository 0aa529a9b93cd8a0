import { setTimeout as pause } from 'node:timers/promises';
import { compareInstants } from '../../../src/contract/instants.ts';
import { must } from '../../../src/expect/rule-broken.ts';
import type { Assignment } from '../../actors/assignments.ts';
import { expectSuccess } from '../../expect/response.ts';
import { REPEATS_TAG, rule } from '../../runner/rule.ts';
import { test } from '../../runner/test.ts';

test(...rule('assignments.create.updated-at-utc', 'created again', { tag: REPEATS_TAG }), async ({ assignments }) => {
  const body = await assignments.createBody();
  const create = async () => expectSuccess<Assignment>('createExperienceAssignment', await assignments.create(body));
  const { id, updatedAt: before = '' } = await create();
  await assignments.remove(id);
  // The target's clock may count only whole seconds.
  await pause(1100);
  const { updatedAt: after = '' } = await create();
  must(compareInstants(before, after) < 0, `after the second creation, updatedAt is later than ${before}, not ${after}`);
});
