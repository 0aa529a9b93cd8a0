import assert from 'node:assert/strict';
import type { components } from '../../../contract/generated/control.ts';
import { signingSecret } from '../../../domain/signing-secret.ts';
import { signatureOf } from '../../../events/signature.ts';
import { type Receiver, startReceiver } from '../../../events/testing/receiver.ts';
import type { Lab } from '../lab.ts';
import { operator } from '../platform.ts';
import { experience } from '../steps.ts';
import type { Variants } from './variant.ts';

type Schemas = components['schemas'];

/** One event for so many subscriptions of one receiver, and the deliveries of it after the first attempts. */
async function delivered(
  lab: Lab,
  { answer = 204, subscriptions = 1 }: { answer?: Parameters<Receiver['answerWith']>[0]; subscriptions?: number },
  look: (receiver: Receiver, deliveries: readonly Schemas['Delivery'][]) => void,
): Promise<void> {
  const receiver = await startReceiver();
  const { create, remove } = operator(lab);
  const made: string[] = [];
  try {
    receiver.answerWith(answer);
    for (let n = 0; n < subscriptions; n++) {
      const types = ['experience.connection.created'];
      const { id } = await create('subscriptions', { provider: 'acme', types, destinationUrl: receiver.url });
      made.push(id);
    }
    const connection = await create('connections', { account: lab.room().accountId, experience: experience('many-91'), state: 'INACTIVE' });
    // A step of no time attempts what is due, and waits for it.
    await lab.advance(0);
    const { data = [] } = await lab.control.GET('/_control/deliveries', { params: { query: { limit: 1000 } } });
    const ours = data.filter(({ entityId, subscriptionId }) => entityId === connection.id && made.includes(subscriptionId));
    look(receiver, ours);
  } finally {
    for (const id of made) await remove('subscriptions', id);
    await receiver.close();
  }
}

const webhookIds = (lab: Lab, count: number) =>
  delivered(lab, { subscriptions: 2 }, ({ received }) => {
    assert.equal(received.length, 2);
    assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, count);
  });
const afterGone = (lab: Lab, state: Schemas['DeliveryState']) =>
  delivered(lab, { answer: 410 }, (_, [delivery]) => assert.equal(delivery?.state, state));
/** Of an answer whose body breaks off. */
const afterBrokenBody = (lab: Lab, state: Schemas['DeliveryState']) =>
  delivered(
    lab,
    {
      answer: (response) => {
        response.writeHead(200, { 'content-length': '10' });
        response.flushHeaders();
        setImmediate(() => response.destroy());
      },
    },
    (_, [delivery]) => assert.equal(delivery?.state, state),
  );
const nextPause = (lab: Lab, least: number, most: number) =>
  delivered(lab, { answer: 500 }, (_, [delivery]) => {
    const pause = Date.parse(delivery?.nextAttemptAt ?? '') - Date.parse(delivery?.createdAt ?? '');
    assert.ok(pause >= least && pause <= most, `${pause} ms`);
  });

/** An unsigned delivery always has kit time. */
const sentAt = (lab: Lab, signedAt: (clock: Lab['kit']['clock']) => number) =>
  delivered(lab, {}, ({ received: [received] }) => {
    const { clock, decisions } = lab.kit;
    const expected = decisions['events.delivery.signature'] === 'none' ? clock.now() : signedAt(clock);
    assert.ok(clock.offset >= 1000);
    assert.equal(received?.headers['webhook-timestamp'], String(Math.floor(expected / 1000)));
  });

/** Open points of how events are delivered. */
export const ofDeliveries = {
  'events.webhook-id': {
    same: (lab) => webhookIds(lab, 1),
    different: (lab) => webhookIds(lab, 2),
  },
  'events.delivery.acknowledged-by': {
    'headers-and-body': (lab) => afterBrokenBody(lab, 'pending'),
    headers: (lab) => afterBrokenBody(lab, 'acknowledged'),
  },
  'events.delivery.retry-schedule': {
    standard: (lab) => nextPause(lab, 5000, 5500),
    fast: (lab) => nextPause(lab, 100, 110),
  },
  'events.delivery.gone': {
    retried: (lab) => afterGone(lab, 'pending'),
    ended: (lab) => afterGone(lab, 'exhausted'),
  },
  'events.delivery.signature': {
    none: (lab) =>
      delivered(lab, {}, ({ received: [received] }) => {
        assert.ok(received);
        assert.equal(received.headers['webhook-signature'], undefined);
      }),
    'standard-webhooks': (lab) =>
      delivered(lab, {}, ({ received: [received] }) => {
        assert.ok(received);
        const { headers, text, event } = received;
        const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
        assert.equal(
          headers['webhook-signature'],
          signatureOf(signingSecret({ id: event.subscriptionId, secret: null }), id, timestamp, text),
        );
      }),
  },
  'events.delivery.signed-timestamp': {
    'wall-time': (lab) => sentAt(lab, ({ now, offset }) => now() - offset),
    'kit-time': (lab) => sentAt(lab, ({ now }) => now()),
  },
} as const satisfies Variants;
