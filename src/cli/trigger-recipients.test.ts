import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { eventTypes } from '../contract/generated/events.ts';
import { type Receiver, startReceiver } from '../events/testing/receiver.ts';
import { createKit, type Kit } from '../kit.ts';
import { resetCommand } from './reset.ts';
import { stateCommand } from './state.ts';
import { subscribeCommand } from './subscribe.ts';
import { verbsAt } from './testing/printed.ts';
import { triggerCommand } from './trigger.ts';
import { waitCommand } from './wait.ts';

let kit: Kit;
let receiver: Receiver;
const { xpk, json } = verbsAt(() => kit, {
  reset: resetCommand,
  state: stateCommand,
  subscribe: subscribeCommand,
  trigger: triggerCommand,
  wait: waitCommand,
});

before(async () => {
  kit = await createKit({ port: 0 });
  receiver = await startReceiver();
});
after(async () => {
  await kit.close();
  await receiver.close();
});
beforeEach(() => xpk('reset'));

for (const type of eventTypes) {
  test(`xpk trigger ${type} in the demo world reaches the receiver that was just subscribed`, async () => {
    await xpk(`subscribe ${receiver.url} --provider globex --alias older`);
    await xpk(`subscribe ${receiver.url} --provider acme --alias mine`);
    const received = receiver.received.length;
    const { entityId, subscriptions } = await json(`trigger ${type}`);
    assert.ok(subscriptions.includes('mine'));
    const [{ attempts }] = await json(`wait --subscription mine --type ${type} --entity ${entityId}`);
    assert.equal(attempts, 1);
    const bodies = receiver.received.slice(received).map(({ text }) => JSON.parse(text));
    assert.ok(bodies.some((body) => body.type === type && Object.values(body.data).includes(entityId)));
  });
}

test('--subscription chooses who receives the event, also against newer subscriptions with a destination', async () => {
  await xpk(`subscribe ${receiver.url} --provider acme --alias mine`);
  for (const type of eventTypes) {
    assert.deepEqual((await json(`trigger ${type} --subscription globex-everything`)).subscriptions, ['globex-everything']);
    assert.match(await xpk(`trigger ${type} --subscription mine`), new RegExp(`\nPublished ${type} for mine: delivery`));
  }
});

test('a subscription that cannot receive the event is refused before anything happens, with what it receives', async () => {
  const world = await xpk('state get');
  const refused = [
    [
      'provisioning.user.created --subscription acme-concierge-lines',
      /does not receive provisioning\.user\.created\. It receives: experience\.assign/,
    ],
    [
      'experience.assignment.created --subscription acme-concierge-lines --experience scheduler',
      /of the Experience scheduler\. .* --experience concierge\./,
    ],
    [
      'experience.assignment.created --subscription acme-everything --experience directory',
      /Leave out --experience, or give one of the provider acme/,
    ],
    ['experience.assignment.created --subscription acme-everythin', /Did you mean "acme-everything"/],
  ] as const;
  for (const [line, why] of refused) await assert.rejects(xpk(`trigger ${line}`), why);
  assert.equal(await xpk('state get'), world);
});

test('--account takes an Experience of a provider that serves the account', async () => {
  await xpk('state add accounts alias=solo name=Solo');
  await xpk('state add connections account=solo experience=switchboard');
  for (const type of eventTypes) {
    assert.deepEqual((await json(`trigger ${type} --account solo`)).subscriptions, ['globex-everything'], type);
    assert.ok((await json(`trigger ${type} --account fabrikam`)).subscriptions.includes('acme-everything'), type);
  }
});
