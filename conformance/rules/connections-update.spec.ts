import { otherState } from '../actors/make-connection.ts';
import { must } from '../expect/broken.ts';
import { readAndListed, shownOf } from '../expect/connection-shown.ts';
import { eventually, settlingOf } from '../expect/eventually.ts';
import { compareInstants } from '../expect/instants.ts';
import { success } from '../expect/verify.ts';
import { test } from '../runner/connections-test.ts';
import { rule } from '../runner/rule.ts';

const OPERATION = 'updateExperienceConnection';

for (const [id, state] of [
  ['connections.update.activates', 'ACTIVE'],
  ['connections.update.deactivates', 'INACTIVE'],
] as const) {
  test(`An update that requests ${state} makes the connection ${state}.`, rule(id), async ({ api, need, connections }) => {
    const made = await connections.make({ state: otherState(state) });
    const answer = await connections.update(made, state);
    success(OPERATION, answer);
    await eventually(settlingOf(answer), async () => {
      for (const shown of shownOf(await readAndListed({ api, need, connections }, made), 'state'))
        must(shown === state, `the connection is ${state} after the update, not ${shown}`, answer);
    });
  });

  test(
    `updatedAt does not go back when a connection changes: it becomes ${state}.`,
    rule('connections.update.updated-at-grows'),
    async ({ api, need, connections }) => {
      const made = await connections.make({ state: otherState(state) });
      const instants = async () => shownOf(await readAndListed({ api, need, connections }, made), 'updatedAt');
      const [before] = await instants();
      const answer = await connections.update(made, state);
      success(OPERATION, answer);
      await eventually(settlingOf(answer), async () => {
        for (const after of await instants())
          must(compareInstants(before, after) <= 0, `updatedAt does not go back from ${before} to ${after}`);
      });
    },
  );
}
