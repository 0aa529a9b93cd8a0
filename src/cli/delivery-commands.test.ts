import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { eventTypes } from '../contract/generated/events.ts';
import { createKit } from '../kit.ts';
import { world } from '../testing/event-lab.ts';
import { startKitWithReceiver } from './testing/receiver-kit.ts';
import { createXpk } from './testing/run.ts';

const { started, xpk, json } = startKitWithReceiver({ fixtures: world });
beforeEach(() => started.receiver.answerWith(204));

async function connect(...accounts: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const account of accounts) ids.push((await json(`state add connections account=${account} experience=desk`)).id);
  return ids;
}
const subscribe = () => xpk(`subscribe ${started.receiver.url} --alias crm`);
const listReceivedTypes = () => started.receiver.received.length;
const waitForConnections = (count: number) =>
  started.receiver.received.slice(count).map(({ event }) => (event.data as { connectionId: string }).connectionId);

test('xpk subscribe without options subscribes the only provider to all event types, with deliveries to the inbox', async () => {
  const { types, provider, destinationUrl } = await json('subscribe');
  assert.deepEqual([types, provider, destinationUrl], [[...eventTypes], 'acme', undefined]);
  assert.match(
    await xpk('subscribe --alias box'),
    /^Subscribed box \(\S+\): all event types of acme to the inbox, which xpk inbox --subscription box shows\.$/,
  );
  await xpk('reset empty');
  await assert.rejects(xpk('subscribe'), /^Error: \[1\] .*The world has no provider/);
});

test('xpk subscribe accepts a destination, an Experience and types, and xpk unsubscribe removes the subscription', async () => {
  assert.equal(await xpk('subscriptions'), 'There are no subscriptions. Add one with: xpk subscribe URL');
  const types = 'provisioning.user.created,experience.connection.created';
  const created = await xpk(`subscribe ${started.receiver.url} --alias crm --experience desk --types ${types}`);
  assert.match(created, /: provisioning.user.created, experience.connection.created of the Experience desk of acme to http:\S+\/hook\.$/);
  assert.match(await xpk('subscriptions'), /^crm {2}acme {2}desk {2}http:\S+\/hook {2}provisioning/);
  assert.deepEqual(Object.keys(await json('subscriptions')), ['crm']);
  assert.equal(await xpk('unsubscribe crm'), 'Unsubscribed crm.');
});

test('xpk subscribe prints the signing secret if deliveries are signed, and accepts a secret with --secret', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const { alias } = await json(`subscribe --secret ${secret}`);
  assert.equal((await json('subscriptions'))[alias].secret, secret);
  const kit = await createKit({ port: 0, fixtures: world, set: { 'events.delivery.signature': 'standard-webhooks' } });
  try {
    assert.match(await createXpk(() => ['--url', kit.url]).xpk('subscribe'), /\.\nSigning secret: whsec_\S+$/);
  } finally {
    await kit.close();
  }
});

test('xpk subscriptions prints the number of deliveries in each state, and the delivery mode', async () => {
  await subscribe();
  assert.match(await xpk('subscriptions'), /^crm {2}acme {2}every Experience {2}http:\S+\/hook {2}all types {2}no deliveries$/);
  await connect('north');
  await json('wait');
  await xpk('mode crm --hold --duplicate 1');
  await connect('south');
  assert.match(await xpk('subscriptions'), /all types {2}1 acknowledged, 1 held {2}duplicate 1, hold$/);
  const { crm } = await json('subscriptions');
  assert.deepEqual([crm.provider, crm.deliveryMode], ['acme', { hold: true, duplicate: 1 }]);
  assert.deepEqual(crm.deliveries, { acknowledged: 1, held: 1, pending: 0, exhausted: 0 });
});

test('xpk wait prints the deliveries that match, and xpk deliveries lists all deliveries or shows one delivery', async () => {
  assert.match(await xpk('deliveries'), /^No delivery matches/);
  await subscribe();
  const [id] = await connect('north');
  const [delivery] = await json(`wait --subscription crm --type experience.connection.created --count 1 --entity ${id}`);
  const table = await xpk('deliveries --subscription crm --state acknowledged --limit 5');
  assert.match(table, /^TIME +STATE +ATTEMPTS.*\n\S+Z +acknowledged +1 +experience\.connection\.created +crm +- +\S+$/);
  assert.equal(await xpk('wait'), table);
  const shown = await xpk(`deliveries ${delivery.id}`);
  assert.match(shown, new RegExp(`\n\nwebhook-id: ${delivery.webhookId}\n{\n`));
  assert.match(shown, /\n\nattempt 1 {2}\S+Z {2}204 {2}\d+ ms$/);
  assert.equal((await json(`deliveries ${delivery.id}`)).body.data.connectionId, id);
  assert.deepEqual(await json('deliveries --type provisioning.user.created'), []);
});

test('xpk wait --since ignores deliveries before a position', async () => {
  await subscribe();
  await connect('north');
  await xpk('wait');
  const { position } = await json('clock');
  await assert.rejects(xpk(`wait --timeout 0s --since ${position}`), /^Error: \[1\] xpk: Waited 0 ms: 0 of 1 deliveries are acknowledged/);
  await xpk('trigger experience.connection.activated');
  const types = (await json(`wait --since ${position}`)).map(({ type }: { type: string }) => type);
  assert.deepEqual(types, ['experience.connection.activated']);
});

test('xpk redeliver repeats one delivery, and xpk recover repeats all unacknowledged deliveries since a given time', async () => {
  await subscribe();
  await connect('north');
  const [{ id, createdAt: since }] = await json('wait');
  const sent = listReceivedTypes();
  assert.match(await xpk(`redeliver ${id}`), /^Sending experience.connection.created to crm again; xpk deliveries \S+ shows the result\.$/);
  await started.receiver.atLeast(sent + 1);
  await json('wait');
  assert.equal(await xpk(`recover crm --since ${since}`), `No delivery since ${since} needs to be sent again.`);
  assert.equal(await xpk(`recover crm --since ${since} --acknowledged`), 'Sending 1 delivery again.');
  await started.receiver.atLeast(sent + 2);
});

test('xpk deliveries and xpk wait accept --type raw', async () => {
  await subscribe();
  await xpk('trigger raw --subscription crm --allow-invalid --body x');
  assert.match(await xpk('wait --type raw'), /Z +acknowledged +1 +raw +crm/);
  assert.equal((await json('deliveries --type raw')).length, 1);
});

test('xpk inbox shows the headers and bodies of deliveries, and --clear empties the inbox', async () => {
  assert.match(await xpk('inbox'), /^The inbox is empty\./);
  await xpk('subscribe --alias box');
  await connect('north');
  await xpk('wait');
  const shown = await xpk('inbox --subscription box');
  assert.match(shown, /^\S+Z {2}delivery \S+\n/);
  assert.match(shown, /^webhook-id: \S+$/m);
  assert.match(shown, /^ {2}"type": "experience\.connection\.created"/m);
  assert.equal((await json('inbox')).length, 1);
  assert.equal(await xpk('inbox --clear'), 'The inbox is empty.');
  assert.deepEqual(await json('inbox'), []);
});

test("xpk mode replaces a subscription's whole delivery mode, and shows the new one", async () => {
  await subscribe();
  assert.equal(await xpk('mode crm'), 'crm has no delivery mode.\nNo deliveries are held.');
  const set = await xpk('mode crm --duplicate 1 --drop-acknowledgement 2');
  assert.match(set, /^The delivery mode of crm:\n {2}duplicate 1 +each delivery is sent once more/);
  assert.match(set, /\n {2}drop-acknowledgement 2 {2}the first 2 acknowledgements of each delivery are treated as lost\n/);
  assert.match(set, /\nThis replaces the previous mode\. Off: reorder, delay, hold\.\nNo deliveries are held\.$/);
  await xpk('mode crm --duplicate 2 --reorder 1m30s --delay 250ms');
  assert.deepEqual((await json('mode crm')).mode, { duplicate: 2, reorder: { window: 90_000 }, delay: 250 });
  const shown = await xpk('mode crm');
  assert.match(
    shown,
    / {2}duplicate 2 .*2 more times.*\n {2}reorder 1m30s .*\n {2}seed 0 .*\n {2}delay 250ms .*\nNo deliveries are held\.$/,
  );
});

test('xpk mode accepts every seed that the contract permits, and --none removes the mode', async () => {
  await subscribe();
  const { mode } = await json(`mode crm --reorder 10s --seed ${Number.MAX_SAFE_INTEGER}`);
  assert.deepEqual(mode, { reorder: { window: 10_000 }, seed: Number.MAX_SAFE_INTEGER });
  const { subscriptionId, ...removed } = await json('mode crm --none');
  assert.deepEqual(removed, { mode: null, held: 0 });
  assert.equal((await json(`mode ${subscriptionId}`)).subscriptionId, subscriptionId);
});

test('xpk release sends held deliveries in the order that --order sets, and prints how many deliveries are still held', async () => {
  await subscribe();
  const start = listReceivedTypes();
  await xpk('mode crm --hold');
  const [first, second] = await connect('north', 'south');
  assert.match(await xpk('mode crm'), /\n2 deliveries are held\. Send them with: xpk release crm$/);
  assert.match(
    await xpk('release crm --order newest-first --count 1'),
    /^TIME +STATE.*\n\S+Z +acknowledged +1 +experience\.connection\.created +crm +- +\S+\nReleased 1\. 1 delivery is still held\.$/,
  );
  assert.match(await xpk('mode crm --none'), /has no delivery mode\.\n1 delivery is held\./);
  assert.match(await xpk('release crm'), /\nReleased 1\. No deliveries are held now\.$/);
  assert.deepEqual(waitForConnections(start), [second, first]);
  assert.equal(await xpk('release crm'), 'No delivery to crm is held. Hold its next deliveries with: xpk mode crm --hold');
});

test('xpk release with delivery ids sends these deliveries in the given order', async () => {
  await subscribe();
  const start = listReceivedTypes();
  await xpk('mode crm --hold');
  const connections = await connect('north', 'south');
  const held: string[] = (await json('deliveries --state held')).map(({ id }: { id: string }) => id);
  assert.deepEqual(await json(`release crm ${held.join(' ')}`), { released: held, held: 0 });
  assert.deepEqual(waitForConnections(start), connections.toReversed());
});

test('xpk release stops after --max-wait, and the deliveries that it has not sent stay held', async () => {
  await subscribe();
  await xpk('mode crm --hold');
  await connect('north', 'south');
  let respond = () => {};
  started.receiver.answerWith((response) => {
    respond = () => void response.writeHead(204).end();
  });
  const start = listReceivedTypes();
  assert.match(await xpk('release crm --max-wait 100ms'), /Z +pending +0 .*\nReleased 1\. 1 delivery is still held\.$/);
  await started.receiver.atLeast(start + 1);
  respond();
});
