import { setTimeout as pause } from 'node:timers/promises';
import { compareInstants } from '../../../src/contract/instants.ts';
import { must } from '../../../src/expect/rule-broken.ts';
import { toggleState } from '../../actors/connections.ts';
import { collectValues } from '../../expect/connection.ts';
import { expectEffect, expectSuccess } from '../../expect/response.ts';
import { rule, SILENCE_TAG } from '../../runner/rule.ts';
import { test } from '../../runner/test.ts';

for (const state of ['ACTIVE', 'INACTIVE'] as const) {
  test(...rule('connections.update.updated-at-grows', `the connection becomes ${state}`, { tag: SILENCE_TAG }), async ({ connections }) => {
    const connection = await connections.createOrThrow({ state: toggleState(state) });
    const readUpdateTimes = async () => collectValues(await connections.expectReadAndListed(connection), 'updatedAt');
    const [before] = await readUpdateTimes();
    // The target's clock may count only whole seconds.
    await pause(1100);
    const answer = await connections.update(connection, state);
    expectSuccess(answer);
    await expectEffect(answer, async () => {
      for (const after of await readUpdateTimes())
        must(compareInstants(before, after) < 0, `after the update, updatedAt is later than ${before}, not ${after}`);
    });
  });
}
