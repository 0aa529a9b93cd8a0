import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultDecisions } from '../contract/generated/decisions.ts';
import { createConfiguredHeaders, createDeliveryHeaders, signDelivery } from './delivery-headers.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const DELIVERY = { id: 'delivery', eventId: 'event', subscriptionId: 'all', body: '{}', headers: null };
const TIMES = { sentAt: 1_614_265_330_999, offset: 3000 };

test('the signature matches the example in the Standard Webhooks specification', () => {
  const signature = signDelivery(SECRET, 'msg_p5jXN8AQM9LWM0D4loKWxJek', '1614265330', '{"test": 2432232314}');
  assert.equal(signature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('a delivery has the documented headers, and additional ones replace only the content type', () => {
  const documented = { 'content-type': 'application/json', 'webhook-id': 'event', 'webhook-timestamp': '1614265330' };
  const delivery = { webhookId: 'event', sentAt: TIMES.sentAt, body: '{}' };
  assert.deepEqual(createDeliveryHeaders(delivery), documented);
  const additional = { 'content-type': 'text/plain', 'x-more': '1', 'webhook-id': 'forged', 'webhook-timestamp': '0' };
  assert.deepEqual(createDeliveryHeaders({ ...delivery, additional }), { ...documented, 'content-type': 'text/plain', 'x-more': '1' });
});

test('the decisions determine the id, the time and the signature', () => {
  const standard = { 'events.delivery.signature': 'standard-webhooks' } as const;
  const kitTime = { ...standard, 'events.delivery.signed-timestamp': 'kit-time' } as const;
  const rows = [
    [{}, 'event', '1614265330', false],
    [{ 'events.webhook-id': 'different' }, 'delivery', '1614265330', false],
    [standard, 'event', '1614265327', true],
    [kitTime, 'event', '1614265330', true],
  ] as const;
  for (const [decisions, id, timestamp, isSigned] of rows) {
    assert.deepEqual(createConfiguredHeaders(DELIVERY, { ...TIMES, secret: SECRET }, { ...defaultDecisions, ...decisions }), {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      ...(isSigned && { 'webhook-signature': signDelivery(SECRET, id, timestamp, '{}') }),
    });
  }
});

test("the delivery's own headers are added", () => {
  const delivery = { ...DELIVERY, headers: '{"x-more":"1"}' };
  assert.equal(createConfiguredHeaders(delivery, { ...TIMES, secret: null }, defaultDecisions)['x-more'], '1');
});
