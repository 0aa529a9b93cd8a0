import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { signDelivery } from '../domain/delivery-headers.ts';
import { startLab } from '../testing/event-lab.ts';

type Schemas = components['schemas'];

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;

const lab = await startLab({ set: { 'events.delivery.signature': 'standard-webhooks' } });
await lab.control('PATCH', '/subscriptions/all', { secret: SECRET });
await lab.control('POST', '/subscriptions', { alias: 'other', types: ['provisioning.user.created'], secret: OTHER_SECRET });
await lab.control('POST', '/state/connections', { account: 'north', experience: 'desk' });
await lab.settled();
const [delivery] = (await lab.deliveries()) as [Schemas['Delivery']];
after(() => lab.close());

const checkSignature = (request: Schemas['SignatureRequest']) =>
  lab.control<Schemas['CheckedSignature']>('POST', '/signatures/check', request);
function getReceived() {
  const { headers, text } = lab.receiver.received[0]!;
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers as Record<string, string>;
  return { headers: { 'Webhook-Id': id!, 'webhook-timestamp': timestamp!, 'webhook-signature': signature! }, body: text };
}

test('the signature of a delivery is valid, both as the receiver got it and as the kit sent it', async () => {
  for (const request of [{ ...getReceived(), subscription: 'all' }, { ...getReceived(), secret: SECRET }, { deliveryId: delivery.id }]) {
    const { valid, causes, expected, headers } = await checkSignature(request);
    assert.deepEqual([valid, causes, headers['webhook-signature']], [true, [], expected]);
  }
});

const createSignature = (secret: string, id = 'evt', timestamp = '1772000000', body = '{}') => ({
  headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signDelivery(secret, id, timestamp, body) },
  body,
});
const changeBody = (change: (body: string) => string) => ({ ...getReceived(), body: change(getReceived().body) });
const changeHeaders = (headers: Record<string, string>) => ({ ...getReceived(), headers: { ...getReceived().headers, ...headers } });
/** The key of this signature is the secret's text instead of the decoded bytes. */
const signWithUndecodedSecret = () => createSignature(`whsec_${Buffer.from(SECRET).toString('base64')}`);

/** The requests have the secret SECRET, unless they contain another secret. */
const WRONG_SIGNATURES: [cause: string, request: () => Schemas['SignatureRequest'], text: RegExp][] = [
  ['other secret', () => createSignature(OTHER_SECRET), /the subscription other/],
  ['body formatted', () => changeBody((body) => JSON.stringify(JSON.parse(body), null, 2)), /before parsing the body/],
  ['body formatted', () => changeBody((body) => `${body}\n`), /formatted after it was received/],
  [
    'body changed',
    () => ({ ...changeBody((body) => body.replace('{"type"', '{"Type"')), deliveryId: delivery.id }),
    /starting at character 3/,
  ],
  ['other id', () => ({ ...changeHeaders({ 'webhook-id': 'x', 'Webhook-Id': 'x' }), deliveryId: delivery.id }), /not x\./],
  ['header missing', () => ({ ...createSignature(SECRET), headers: { 'webhook-id': 'evt' } }), /webhook-timestamp/],
  ['timestamp', () => createSignature(SECRET, 'evt', '1772000000000'), /divide by 1000/],
  ['version', () => changeHeaders({ 'webhook-signature': 'sha256=abc' }), /"v1,"/],
  ['secret', () => ({ ...createSignature(SECRET), secret: 'hunter2' }), /begin with whsec_/],
  ['undecoded secret', signWithUndecodedSecret, /decoded from base64/],
  ['mismatch', () => ({ ...createSignature(SECRET), body: '{"a":1}' }), /expected signature/],
];
for (const [cause, request, text] of WRONG_SIGNATURES)
  test(`an invalid signature is explained: ${cause}, ${text.source}`, async () => {
    const { valid, causes } = await checkSignature({ secret: SECRET, ...request() });
    assert.deepEqual([valid, causes[0]?.cause], [false, cause]);
    assert.match(causes[0]?.text ?? '', text);
  });

test('if a valid signature has an old or future timestamp, the check adds a note, because verifiers refuse such a timestamp', async () => {
  const { valid, notes } = await checkSignature({ ...createSignature(SECRET), secret: SECRET });
  assert.equal(valid, true);
  assert.match(notes.join(), /more than 5 minutes from now/);
});

test('a kit that does not sign deliveries reports the decision that enables signatures', async () => {
  await using plain = await startLab();
  await plain.control('POST', '/state/connections', { account: 'north', experience: 'desk' });
  const [{ id }] = (await plain.deliveries()) as [Schemas['Delivery']];
  const { causes } = await plain.control<Schemas['CheckedSignature']>('POST', '/signatures/check', { deliveryId: id });
  assert.deepEqual(
    causes.map(({ cause }) => cause),
    ['not signed'],
  );
});
