import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { signDelivery } from '../domain/delivery-headers.ts';
import { type Lab, startLab } from '../events/testing/lab.ts';

type Schemas = components['schemas'];

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;

let lab: Lab;
let delivery: Schemas['Delivery'];
before(async () => {
  lab = await startLab({ set: { 'events.delivery.signature': 'standard-webhooks' } });
  await lab.control('PATCH', '/subscriptions/all', { secret: SECRET });
  await lab.control('POST', '/subscriptions', { alias: 'other', types: ['provisioning.user.created'], secret: OTHER });
  await lab.control('POST', '/state/connections', { account: 'north', experience: 'desk' });
  await lab.settled();
  [delivery] = (await lab.deliveries()) as [Schemas['Delivery']];
});
after(() => lab.close());

const check = (request: Schemas['SignatureRequest']) => lab.control<Schemas['CheckedSignature']>('POST', '/signatures/check', request);
/** What the receiver got: the headers and the exact body. */
function received() {
  const { headers, text } = lab.receiver.received[0]!;
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers as Record<string, string>;
  return { headers: { 'Webhook-Id': id!, 'webhook-timestamp': timestamp!, 'webhook-signature': signature! }, body: text };
}

test('the signature of a delivery is right for the secret of its subscription, with what the receiver got and with what the kit sent', async () => {
  for (const request of [{ ...received(), subscription: 'all' }, { ...received(), secret: SECRET }, { deliveryId: delivery.id }]) {
    const { valid, causes, expected, headers } = await check(request);
    assert.deepEqual([valid, causes, headers['webhook-signature']], [true, [], expected]);
  }
});

const { stringify, parse } = JSON;
const signed = (secret: string, id = 'evt', timestamp = '1772000000', body = '{}') => ({
  headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signDelivery(secret, id, timestamp, body) },
  body,
});
const wrong: [cause: string, request: () => Schemas['SignatureRequest'], text: RegExp][] = [
  ['other secret', () => ({ ...signed(OTHER), secret: SECRET }), /the subscription other/],
  ['body formatted', () => ({ ...received(), secret: SECRET, body: stringify(parse(received().body), null, 2) }), /before they are parsed/],
  ['body formatted', () => ({ ...received(), secret: SECRET, body: `${received().body}\n` }), /formatted after it was received/],
  [
    'body changed',
    () => ({ ...received(), deliveryId: delivery.id, body: received().body.replace('{"type"', '{"Type"') }),
    /starting at character 3/,
  ],
  [
    'other id',
    () => ({ ...received(), deliveryId: delivery.id, headers: { ...received().headers, 'webhook-id': 'x', 'Webhook-Id': 'x' } }),
    /not x\./,
  ],
  ['header missing', () => ({ ...signed(SECRET), headers: { 'webhook-id': 'evt' }, secret: SECRET }), /webhook-timestamp/],
  ['timestamp', () => ({ ...signed(SECRET, 'evt', '1772000000000'), secret: SECRET }), /divide by 1000/],
  [
    'version',
    () => ({ ...signed(SECRET), headers: { ...signed(SECRET).headers, 'webhook-signature': 'sha256=abc' }, secret: SECRET }),
    /"v1,"/,
  ],
  ['secret', () => ({ ...signed(SECRET), secret: 'hunter2' }), /begin with whsec_/],
  ['undecoded secret', () => ({ ...undecoded(), secret: SECRET }), /decoded from base64/],
  ['mismatch', () => ({ ...signed(SECRET), body: '{"a":1}', secret: SECRET }), /expected signature/],
];
/** A signature whose key is the text of the secret. */
function undecoded() {
  const asText = `whsec_${Buffer.from(SECRET).toString('base64')}`;
  return signed(asText);
}
for (const [cause, request, text] of wrong)
  test(`a wrong signature is explained: ${cause}, ${text.source}`, async () => {
    const { valid, causes } = await check(request());
    assert.deepEqual([valid, causes[0]?.cause], [false, cause]);
    assert.match(causes[0]?.text ?? '', text);
  });

test('a right signature with a timestamp far from now has a note, because verifiers refuse it', async () => {
  const { valid, notes } = await check({ ...signed(SECRET), secret: SECRET });
  assert.equal(valid, true);
  assert.match(notes.join(), /more than 5 minutes from now/);
});

test('a check without a secret or a body is refused', async () => {
  await assert.rejects(check({ body: '{}', headers: {} }), /400.*The secret is missing/);
  await assert.rejects(check({ secret: SECRET }), /400.*The body is missing/);
  await assert.rejects(check({ deliveryId: 'none' }), /404/);
});

test('a kit that does not sign deliveries says so', async () => {
  const plain = await startLab({});
  try {
    await plain.control('POST', '/state/connections', { account: 'north', experience: 'desk' });
    const [{ id }] = (await plain.deliveries()) as [Schemas['Delivery']];
    const { causes } = await plain.control<Schemas['CheckedSignature']>('POST', '/signatures/check', { deliveryId: id });
    assert.deepEqual(
      causes.map(({ cause }) => cause),
      ['not signed'],
    );
  } finally {
    await plain.close();
  }
});
