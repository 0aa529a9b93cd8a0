import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { startLab } from '../testing/event-lab.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test("a Standard Webhooks verifier with the subscription's secret accepts a delivery after kit time moves forward", async () => {
  const lab = await startLab({ set: { 'events.delivery.signature': 'standard-webhooks' } });
  try {
    await lab.control('POST', '/clock/advance', { by: '1h' });
    for (const requested of [SECRET, null]) {
      const { secret } = await lab.control<{ secret: string }>('PATCH', '/subscriptions/all', { secret: requested });
      assert.equal(secret === SECRET, requested === SECRET);
      assert.equal((await lab.control<{ secret: string }>('GET', '/state/subscriptions/all')).secret, secret);
      await lab.control('POST', '/state/connections', { account: requested === null ? 'north' : 'south', experience: 'desk' });
      await lab.settled();
      const { text, headers } = lab.receiver.received.at(-1)!;
      new Webhook(secret).verify(text, headers as Record<string, string>);
    }
  } finally {
    await lab.close();
  }
});

test('a secret that is not in the Standard Webhooks format is refused', async () => {
  const lab = await startLab();
  try {
    const createSecret = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`;
    for (const secret of ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_', 'whsec_short', createSecret(23), createSecret(65), `${SECRET}!`])
      await assert.rejects(
        lab.control('PATCH', '/subscriptions/all', { secret }),
        /400.*secret must be whsec_ followed by 24 to 64 bytes in base64/,
        secret,
      );
    for (const bytes of [24, 25, 26, 32, 62, 63, 64]) await lab.control('PATCH', '/subscriptions/all', { secret: createSecret(bytes) });
  } finally {
    await lab.close();
  }
});
