import { must } from '../../src/expect/rule-broken.ts';
import { UNLISTED_STATE } from '../../src/refusals/hostile-values.ts';
import { expectChangeRefused, listRefusalChecks } from '../actors/refusals.ts';
import { retryUntilPassed } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Pair } from '../target/capabilities.ts';
import { endAsNotApplicable, endAsNotTestable } from '../target/check-report.ts';

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

for (const [what, account, experience] of [
  ['account', 'account.hidden', 'experience'],
  ['Experience', 'account', 'experience.hidden'],
] as const) {
  test(...rule('connections.get.not-found', `a connection of a hidden ${what}`), async ({ api, need, has, operator, connections }) => {
    const actions = await operator('platform.connections');
    const [token, pair] = [await need('token'), { accountId: await need(account), experienceId: await need(experience) }];
    const id = await actions.create(pair).catch(() => endAsNotApplicable(`the platform cannot connect a hidden ${what}`));
    try {
      const read = await connections.read({ id });
      if (read.status === 404) return;
      // The specification does not say whether a caller must have access to both.
      await retryUntilPassed(has('lists.bound') ? await need('lists.bound') : 0, async () => {
        const list = await api.call('getExperienceConnections', { token, query: pair });
        must(list.text.includes(id), 'the list contains a connection that can be read', read);
      });
      endAsNotTestable('the token may view the connection');
    } finally {
      await actions.remove(id);
    }
  });
}
