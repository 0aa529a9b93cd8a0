import { ruleRefusals } from '../../src/refusals/table.ts';
import { describeChange, expectChangeRefused, listRefusalChecks } from '../actors/refusals.ts';
import { expectSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Pair } from '../target/capabilities.ts';

const CREATE = 'createExperienceConnection';
const UPDATE = 'updateExperienceConnection';

for (const { id, variant, check } of listRefusalChecks('connections.')) test(...rule(id, variant), check);

// Only a body with both the account and the Experience could create this connection.
for (const { operation, refusal, statuses } of ruleRefusals) {
  if (operation !== CREATE || (refusal.as === undefined && refusal.values?.state === undefined)) continue;
  test(...rule('connections.create.refused-changes-nothing', describeChange(refusal)), async ({ api, need, calls, connections }) => {
    const sample = await calls.createSample(CREATE);
    const { accountId, experienceId } = sample.values as Pair;
    await expectChangeRefused({ api, need, calls }, CREATE, sample, refusal, ...statuses);
    await connections.expectNotListed({ accountId }, { accountId, experienceId });
    expectSuccess(CREATE, await connections.create({ accountId, experienceId }));
  });
}

for (const { operation, refusal, statuses } of ruleRefusals) {
  if (operation !== UPDATE) continue;
  test(...rule('connections.update.refused-changes-nothing', describeChange(refusal)), async ({ api, need, calls, connections }) => {
    const sample = await calls.createSample(UPDATE);
    const { accountId, experienceId } = sample.values as Pair;
    const connection = { id: sample.id ?? '', accountId, experienceId };
    const before = await connections.snapshot(connection);
    await expectChangeRefused({ api, need, calls }, UPDATE, sample, refusal, ...statuses);
    await connections.expectUnchanged(connection, before);
  });
}
