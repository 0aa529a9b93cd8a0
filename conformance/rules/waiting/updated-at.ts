import { setTimeout as pause } from 'node:timers/promises';
import { compareInstants } from '../../../src/contract/instants.ts';
import { must } from '../../../src/expect/rule-broken.ts';
import type { Assignment } from '../../actors/assignments.ts';
import { toggleState } from '../../actors/connections.ts';
import { collectValues } from '../../expect/connection.ts';
import { expectSuccessAndEffect, requireSuccess } from '../../expect/response.ts';
import { rule, SILENCE_TAG } from '../../runner/rule.ts';
import { test } from '../../runner/test.ts';
import { extendTimeout } from '../../target/check-report.ts';

/** The target's clock may count only whole seconds, and the clocks of its machines may differ by up to two seconds. */
const DISTINCT_MS = 3100;

test(...rule('assignments.create.updated-at-utc', 'created again', { tag: SILENCE_TAG }), async ({ assignments }) => {
  const body = await assignments.createBody();
  const create = async () => requireSuccess('an assignment', await assignments.create(body)).json as Assignment;
  const { id, updatedAt: before = '' } = await create();
  requireSuccess('a deleted assignment', await assignments.remove(id));
  extendTimeout(DISTINCT_MS);
  await pause(DISTINCT_MS);
  const { updatedAt: after = '' } = await create();
  must(compareInstants(before, after) < 0, `after the second creation, updatedAt is later than ${before}, not ${after}`);
});

for (const state of ['ACTIVE', 'INACTIVE'] as const) {
  test(...rule('connections.update.updated-at-grows', `the connection becomes ${state}`, { tag: SILENCE_TAG }), async ({ connections }) => {
    const connection = await connections.createOrThrow({ state: toggleState(state) });
    const readUpdateTimes = async () => collectValues(await connections.expectReadAndListed(connection), 'updatedAt');
    const [before] = await readUpdateTimes();
    // The target's clock may count only whole seconds.
    await pause(1100);
    await expectSuccessAndEffect(await connections.update(connection, state), async () => {
      for (const after of await readUpdateTimes())
        must(compareInstants(before, after) < 0, `after the update, updatedAt is later than ${before}, not ${after}`);
    });
  });
}
