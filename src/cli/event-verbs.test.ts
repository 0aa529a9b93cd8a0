import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { eventTypes } from '../contract/generated/events.ts';
import { world } from '../events/testing/lab.ts';
import { createKit } from '../kit.ts';
import { clockCommand } from './clock.ts';
import { deliveriesCommand } from './deliveries.ts';
import { inboxCommand } from './inbox.ts';
import { recoverCommand } from './recover.ts';
import { redeliverCommand } from './redeliver.ts';
import { resetCommand } from './reset.ts';
import { stateCommand } from './state.ts';
import { subscribeCommand } from './subscribe.ts';
import { subscriptionsCommand } from './subscriptions.ts';
import { verbsAt } from './testing/printed.ts';
import { toldKit } from './testing/told-kit.ts';
import { triggerCommand } from './trigger.ts';
import { unsubscribeCommand } from './unsubscribe.ts';
import { waitCommand } from './wait.ts';

const VERBS = {
  subscribe: subscribeCommand,
  subscriptions: subscriptionsCommand,
  unsubscribe: unsubscribeCommand,
  clock: clockCommand,
  deliveries: deliveriesCommand,
  wait: waitCommand,
  trigger: triggerCommand,
  redeliver: redeliverCommand,
  recover: recoverCommand,
  inbox: inboxCommand,
  reset: resetCommand,
  state: stateCommand,
};
const told = toldKit();
const { xpk, json } = verbsAt(() => told.kit, VERBS);

beforeEach(() => xpk('reset'));

const connect = () => json('state add connections account=north experience=desk');

test('xpk subscribe without more goes for all types of the only provider, into the inbox', async () => {
  const { types, provider, destinationUrl } = await json('subscribe');
  assert.deepEqual([types, provider, destinationUrl], [[...eventTypes], 'acme', undefined]);
  const said = await xpk('subscribe --alias box');
  assert.match(said, /^Subscribed box \(\S+\): all event types of acme to the inbox, which xpk inbox --subscription box shows\.$/);
});

test('xpk subscribe takes an address, an Experience and some types, xpk subscriptions lists it, xpk unsubscribe ends it', async () => {
  assert.equal(await xpk('subscriptions'), 'There are no subscriptions. Add one with: xpk subscribe URL');
  const types = 'provisioning.user.created,experience.connection.created';
  const said = await xpk(`subscribe ${told.receiver.url} --alias mine --experience desk --types`, types);
  assert.match(said, /: provisioning.user.created, experience.connection.created of the Experience desk of acme to http:\S+\/hook\.$/);
  assert.match(await xpk('subscriptions'), /^mine {2}acme {2}desk {2}http:\S+\/hook {2}provisioning/);
  assert.deepEqual(Object.keys(await json('subscriptions')), ['mine']);
  assert.equal(await xpk('unsubscribe mine'), 'Unsubscribed mine.');
  await assert.rejects(xpk('unsubscribe mine'), /no subscription "mine"/);
});

test('xpk subscribe prints the signing secret where deliveries are signed, and takes one', async () => {
  const { alias, secret } = await json('subscribe --secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  assert.equal(secret, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  assert.equal((await json('subscriptions'))[alias].secret, secret);
  await assert.rejects(xpk('subscribe --secret mine'), /whsec_ and 24 to 64 bytes in base64/);
  const kit = await createKit({ port: 0, fixtures: world, set: { 'events.delivery.signature': 'standard-webhooks' } });
  try {
    assert.match(await verbsAt(() => kit, VERBS).xpk('subscribe'), /\.\nSigning secret: whsec_\S+$/);
  } finally {
    await kit.close();
  }
});

test('xpk subscribe says what would be right', async () => {
  await xpk('state add providers alias=globex name=Globex');
  await assert.rejects(xpk('subscribe'), /Say which provider subscribes, with --provider\. There are: acme, globex\./);
  await assert.rejects(xpk('subscribe --provider acm'), /acm.*Did you mean "acme"/);
  await assert.rejects(xpk('subscribe --experience dek'), /Did you mean "desk"/);
  await assert.rejects(xpk('subscribe 127.0.0.1:3000'), /is an http or https address/);
  await assert.rejects(xpk('subscribe --types experience.connection.create'), /Did you mean "experience\.connection\.created"/);
  await xpk('reset empty');
  await assert.rejects(xpk('subscribe'), /no provider that could subscribe/);
});

test('xpk wait gives what came, xpk deliveries lists and shows it', async () => {
  assert.match(await xpk('deliveries'), /^There are no such deliveries/);
  await xpk(`subscribe ${told.receiver.url} --alias mine`);
  const { id } = await connect();
  const [delivery] = await json(`wait --subscription mine --type experience.connection.created --count 1 --entity ${id}`);
  const table = await xpk('deliveries --subscription mine --state acknowledged --limit 5');
  assert.match(table, /^TIME +STATE +ATTEMPTS.*\n\S+Z +acknowledged +1 +experience\.connection\.created +mine +- +\S+$/);
  assert.equal(await xpk('wait'), table);
  const shown = await xpk(`deliveries ${delivery.id}`);
  assert.match(shown, new RegExp(`\n\nwebhook-id: ${delivery.webhookId}\n{\n`));
  assert.match(shown, /\n\nattempt 1 {2}\S+Z {2}204 {2}\d+ ms$/);
  assert.equal((await json(`deliveries ${delivery.id}`)).body.data.connectionId, id);
  assert.deepEqual(await json('deliveries --type provisioning.user.created'), []);
  await assert.rejects(xpk(`deliveries ${delivery.id} --limit 3`), /or what to list, not both/);
  await assert.rejects(xpk('deliveries --limit 1001'), /1000 at most/);
  await assert.rejects(xpk('deliveries --state lost'), /Allowed choices are pending, acknowledged/);
  await assert.rejects(xpk('deliveries --subscription min'), /Did you mean "mine"/);
});

test('xpk wait fails when nothing came in time', async () => {
  await assert.rejects(
    xpk('wait --timeout 0s --state exhausted'),
    /Waited 0 ms for 1 delivery to be exhausted; none was\. No other delivery matches; xpk deliveries lists all\./,
  );
  await assert.rejects(xpk('wait --timeout soon'), /A duration is a number and a unit/);
  await assert.rejects(xpk('wait --timeout 2m'), /60s at most/);
});

test('xpk wait --since waits for what comes after a position', async () => {
  await xpk(`subscribe ${told.receiver.url} --alias mine`);
  await connect();
  await xpk('wait');
  const { position } = await json('clock');
  await assert.rejects(xpk(`wait --timeout 0s --since ${position}`), /for 1 delivery to be acknowledged; none was/);
  await xpk('trigger experience.connection.activated');
  assert.deepEqual(
    (await json(`wait --since ${position}`)).map(({ type }: { type: string }) => type),
    ['experience.connection.activated'],
  );
  await assert.rejects(xpk('wait --since now'), /--since must be the position of xpk clock --json, or the id of a delivery/);
});

test('xpk redeliver sends one again, xpk recover all since an instant', async () => {
  await xpk(`subscribe ${told.receiver.url} --alias mine`);
  const { updatedAt: since } = await connect();
  const [{ id }] = await json('wait');
  const sent = told.receiver.received.length;
  const again = /^experience.connection.created goes to mine once more; xpk deliveries \S+ shows what comes of it\.$/;
  assert.match(await xpk(`redeliver ${id}`), again);
  await told.receiver.atLeast(sent + 1);
  await json('wait');
  assert.equal(await xpk(`recover mine --since ${since}`), `There is nothing to send again since ${since}.`);
  assert.equal(await xpk(`recover mine --since ${since} --acknowledged`), '1 delivery goes out again.');
  await told.receiver.atLeast(sent + 2);
  await assert.rejects(xpk('redeliver nothing'), /no delivery of this id/);
});

test('xpk recover takes an instant alone, and says how one is written', async () => {
  const right = /'--since <instant>' argument '\S+' is invalid\. It is a date, a time and a zone, such as 2026-03-01T09:30:00Z\./;
  for (const since of ['yesterday', '2026-11-21', '2026-11-21T10:00:00', '1h'])
    await assert.rejects(xpk(`recover mine --since ${since}`), right);
  await assert.rejects(xpk('recover mine'), /required option '--since/);
});

test('xpk deliveries and xpk wait know the type raw, of payloads that were made up, and nobody subscribes to it', async () => {
  await xpk(`subscribe ${told.receiver.url} --alias mine`);
  await xpk('trigger raw --subscription mine --allow-invalid --body x');
  assert.match(await xpk('wait --type raw'), /Z +acknowledged +1 +raw +mine/);
  assert.equal((await json('deliveries --type raw')).length, 1);
  await assert.rejects(xpk('wait --type nothing'), /There are: .*provisioning\.user\.deleted, raw\./);
  await assert.rejects(xpk('subscribe --types raw'), /There is no event type "raw"/);
});

test('xpk inbox shows what a receiver would have got, and is emptied', async () => {
  assert.match(await xpk('inbox'), /^The inbox is empty: it has what came for subscriptions without a destination\. xpk deliveries/);
  await xpk('subscribe --alias box');
  await connect();
  await xpk('wait');
  const shown = await xpk('inbox --subscription box');
  assert.match(shown, /^\S+Z {2}delivery \S+\n/);
  assert.match(shown, /^webhook-id: \S+$/m);
  assert.match(shown, /^ {2}"type": "experience\.connection\.created"/m);
  assert.equal((await json('inbox')).length, 1);
  await assert.rejects(xpk('inbox --clear --subscription box'), /without --subscription/);
  assert.equal(await xpk('inbox --clear'), 'The inbox is empty.');
  assert.deepEqual(await json('inbox'), []);
});

test('the commands for events are there, and a wait in vain ends with 1', async () => {
  const run = (...args: string[]) => promisify(execFile)(process.execPath, ['src/cli/main.ts', ...args]);
  const help = (await run('--help')).stdout;
  for (const verb of Object.keys(VERBS)) assert.match(help, new RegExp(`^  ${verb}\\b`, 'm'));
  await assert.rejects(run('wait', '--timeout', '0s', '--url', told.kit.url), {
    code: 1,
    stdout: '',
    stderr: /^xpk: Waited 0 ms for 1 delivery to be acknowledged; none was/,
  });
});
