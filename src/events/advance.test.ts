import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { freshDatabase } from '../store/testing/postgres.ts';
import { type Lab, startLab } from './testing/lab.ts';

type Schemas = components['schemas'];

for (const [engine, settings] of [
  ['sqlite', async () => ({})],
  ['postgres', async () => ({ database: await freshDatabase() })],
] as const) {
  describe(`${engine}: moving kit time forward`, () => {
    let lab: Lab;
    before(async () => {
      lab = await startLab(await settings());
    });
    after(() => lab.close());
    const advance = (by: number | string, maxWaitMs: number) =>
      lab.control<Schemas['Advanced']>('POST', '/clock/advance', { by, maxWaitMs });

    test('while an attempt is under way neither repeats nor loses its delivery', async () => {
      const held = Promise.withResolvers<ServerResponse>();
      lab.receiver.answerWith(held.resolve);
      await lab.control('POST', '/state/connections', { account: 'north', experience: 'desk', state: 'INACTIVE' });
      const response = await held.promise;
      lab.receiver.answerWith(204);
      const begun = lab.kit.clock.now();
      const { attempts, pending } = await advance('3d', 0);
      assert.ok(lab.kit.clock.now() - begun >= 3 * 86_400_000);
      assert.deepEqual([attempts, pending], [[], 1]);
      response.writeHead(204).end();
      await lab.settled();
      await advance('3d', 5000);
      const [delivery, ...others] = (await lab.deliveries()) as [Schemas['Delivery']];
      const { attemptLog } = await lab.control<Schemas['DeliveryWithAttempts']>('GET', `/deliveries/${delivery.id}`);
      assert.deepEqual([others, delivery.state, attemptLog.map(({ status }) => status)], [[], 'acknowledged', [204]]);
      assert.equal(lab.receiver.received.length, 1);
    });

    test('by nothing writes nothing', async () => {
      const version = () => lab.kit.store.db.selectFrom('meta').select('value').where('key', '=', 'version').executeTakeFirst();
      const before = await version();
      await advance(0, 5000);
      assert.deepEqual(await version(), before);
      await advance(1, 5000);
      assert.notDeepEqual(await version(), before);
    });
  });
}
