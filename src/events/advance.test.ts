import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { createDatabase } from '../store/testing/postgres.ts';
import { type Lab, startLab } from '../testing/event-lab.ts';

type Schemas = components['schemas'];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

for (const [engine, settings] of [
  ['sqlite', async () => ({})],
  ['postgres', async () => ({ database: await createDatabase() })],
] as const) {
  describe(`${engine}: an advance of kit time`, () => {
    let lab: Lab;
    before(async () => {
      lab = await startLab(await settings());
    });
    after(() => lab.close());
    const advance = (by: number | string, maxWaitMs: number) =>
      lab.control<Schemas['Advanced']>('POST', '/clock/advance', { by, maxWaitMs });

    test('during a delivery attempt does not repeat or lose the delivery', async () => {
      const heldResponse = Promise.withResolvers<ServerResponse>();
      lab.receiver.answerWith(heldResponse.resolve);
      await lab.control('POST', '/state/connections', { account: 'north', experience: 'desk', state: 'INACTIVE' });
      const response = await heldResponse.promise;
      lab.receiver.answerWith(204);
      const { attempts, pending, settled } = await advance('3d', 0);
      assert.deepEqual([attempts, pending, settled], [[], 1, false]);
      response.writeHead(204).end();
      await lab.settled();
      await advance('3d', 5000);
      const [delivery, ...others] = (await lab.deliveries()) as [Schemas['Delivery']];
      const { attemptLog } = await lab.control<Schemas['DeliveryWithAttempts']>('GET', `/deliveries/${delivery.id}`);
      assert.deepEqual([others, delivery.state, attemptLog.map(({ status }) => status)], [[], 'acknowledged', [204]]);
      assert.equal(lab.receiver.received.length, 1);
    });

    test('that two requests make concurrently sends every delivery at its due time', async () => {
      lab.receiver.answerWith(503);
      const { id } = await lab.control<{ id: string }>('POST', '/state/assignments', {
        experience: 'desk',
        targetType: 'ACCOUNT',
        target: 'north',
      });
      await lab.settled();
      const startedAt = lab.kit.clock.now();
      const steps = await Promise.all([advance('10h', 60_000), advance('10h', 60_000)]);
      assert.deepEqual(
        steps.map(({ settled }) => settled),
        [true, true],
      );
      assert.ok(lab.kit.clock.now() - startedAt >= 2 * 10 * HOUR);
      const delivery = (await lab.deliveries()).find(({ entityId }) => entityId === id);
      const { attemptLog } = await lab.control<Schemas['DeliveryWithAttempts']>('GET', `/deliveries/${delivery?.id}`);
      assert.ok(attemptLog.length > 3);
      const delays = attemptLog.slice(1).map(({ at }, index) => Date.parse(at) - Date.parse(attemptLog[index]?.nextAt ?? ''));
      assert.ok(Math.max(...delays) < MINUTE, `milliseconds after the due times: ${delays}`);
      lab.receiver.answerWith(204);
      await advance('3d', 60_000);
    });

    test("stops if another world is loaded, and leaves that world's kit time unchanged", async () => {
      const heldResponse = Promise.withResolvers<ServerResponse>();
      lab.receiver.answerWith(heldResponse.resolve);
      await lab.control('POST', '/state/users', { account: 'north' });
      const ahead = lab.kit.clock.offset;
      const advancing = assert.rejects(advance('3d', 60_000), /409.*Another world was loaded during the request/);
      const response = await heldResponse.promise;
      await lab.control('POST', '/reset', { to: 'seed' });
      response.writeHead(204).end();
      await advancing;
      assert.ok(ahead > 0);
      assert.equal(lab.kit.clock.offset, 0);
      await lab.subscribe();
    });

    test('by 0 milliseconds writes nothing', async () => {
      const readVersion = () => lab.kit.store.db.selectFrom('meta').select('value').where('key', '=', 'version').executeTakeFirst();
      const before = await readVersion();
      await advance(0, 5000);
      assert.deepEqual(await readVersion(), before);
      await advance(1, 5000);
      assert.notDeepEqual(await readVersion(), before);
    });
  });
}

test('an advance of kit time continues after a delivery timeout if the receiver does not respond', async () => {
  const lab = await startLab({ deliveryTimeout: '50ms' });
  try {
    lab.receiver.answerWith(() => {});
    await lab.control('POST', '/state/connections', { account: 'north', experience: 'desk' });
    const { attempts, settled } = await lab.control<Schemas['Advanced']>('POST', '/clock/advance', { by: '20s' });
    assert.deepEqual([settled, attempts.at(-1)?.error], [true, 'timeout after 50 ms']);
  } finally {
    await lab.close();
  }
});
