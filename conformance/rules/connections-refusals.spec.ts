import { UNLISTED_STATE } from '../../src/refusals/hostile-values.ts';
import { expectChangeRefused, listRefusalChecks } from '../actors/refusals.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Pair } from '../target/capabilities.ts';

const UPDATE = 'updateExperienceConnection';

for (const { id, variant, check } of listRefusalChecks('connections.')) test(...rule(id, variant), check);

test(...rule('connections.update.refused-changes-nothing'), async ({ api, need, calls, connections }) => {
  const sample = await calls.createSample(UPDATE);
  const { accountId, experienceId } = sample.values as Pair;
  const connection = { id: sample.id ?? '', accountId, experienceId };
  const before = await connections.snapshot(connection);
  await expectChangeRefused({ api, need, calls }, UPDATE, sample, { values: { state: UNLISTED_STATE } });
  await connections.expectUnchanged(connection, before);
});
