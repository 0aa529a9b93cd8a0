import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { type EventType, eventTypes } from '../contract/generated/events.ts';
import { createKit, type Kit } from '../kit.ts';
import { deliveriesCommand } from './deliveries.ts';
import { resetCommand } from './reset.ts';
import { stateCommand } from './state.ts';
import { subscribeCommand } from './subscribe.ts';
import { verbsAt } from './testing/printed.ts';
import { triggerCommand } from './trigger.ts';
import { unsubscribeCommand } from './unsubscribe.ts';

let kit: Kit;
const { xpk, json } = verbsAt(() => kit, {
  trigger: triggerCommand,
  deliveries: deliveriesCommand,
  reset: resetCommand,
  state: stateCommand,
  subscribe: subscribeCommand,
  unsubscribe: unsubscribeCommand,
});

before(async () => {
  kit = await createKit({ port: 0 });
});
after(() => kit.close());
beforeEach(() => xpk('reset'));

const COLLECTION: Readonly<Record<EventType, string>> = {
  'experience.connection.created': 'connections',
  'experience.connection.activated': 'connections',
  'experience.connection.deactivated': 'connections',
  'experience.connection.deleted': 'connections',
  'experience.assignment.created': 'assignments',
  'experience.assignment.deleted': 'assignments',
  'provisioning.user.created': 'users',
  'provisioning.user.deleted': 'users',
};

for (const type of eventTypes) {
  test(`xpk trigger ${type} makes it happen, again and again, and says whom it was published for`, async () => {
    for (let time = 0; time < 4; time++) {
      const { entityId, did, deliveries } = await json(`trigger ${type}`);
      assert.ok(did.length > 0);
      assert.ok(deliveries.length > 0);
      for (const delivery of deliveries) assert.deepEqual([delivery.type, delivery.entityId], [type, entityId]);
      const there = xpk(`state get ${COLLECTION[type]} ${entityId}`);
      await (type.endsWith('.deleted') ? assert.rejects(there, /There is no/) : there);
    }
    assert.match(await xpk(`trigger ${type}`), new RegExp(`\\.\nPublished ${type} for \\S+: delivery \\S+\\.(\nAlso .*)?$`));
  });
}

test('what is deleted was made for it, as long as something can be', async () => {
  const world = await xpk('state get');
  for (const type of eventTypes.filter((name) => name.endsWith('.deleted'))) await xpk(`trigger ${type}`);
  assert.equal(await xpk('state get'), world);
  const removed = 'Removed the connection of contoso to reception.';
  assert.deepEqual((await json('trigger experience.connection.deleted --account contoso --experience reception')).did, [removed]);
});

test('what else was published on the way to an event is listed', async () => {
  const line = 'trigger experience.connection.deleted --account fabrikam --experience scheduler';
  assert.match(await xpk(line), /: delivery \S+\.\nAlso published experience\.connection\.created for acme-everything\.$/);
  const { deliveries, also } = await json(line);
  assert.deepEqual(
    [...deliveries, ...also].map(({ type }) => type),
    ['experience.connection.deleted', 'experience.connection.created'],
  );
});

test('a connection that is in the asked state already goes to the other one first', async () => {
  const { did } = await json('trigger experience.connection.activated --account northwind --experience concierge');
  assert.deepEqual(did, [
    'Made the connection of northwind to concierge INACTIVE.',
    'Made the connection of northwind to concierge ACTIVE.',
  ]);
});

test('a connection is created where there is none', async () => {
  const { did } = await json('trigger experience.connection.deactivated --account fabrikam --experience scheduler');
  assert.deepEqual(did, ['Connected fabrikam to scheduler, ACTIVE.', 'Made the connection of fabrikam to scheduler INACTIVE.']);
});

test('users are announced once their account is assigned, which is said', async () => {
  const { did } = await json('trigger provisioning.user.created --account fabrikam --experience concierge');
  assert.match(did[0], /^Assigned concierge to the ACCOUNT fabrikam, since/);
  assert.equal(did[1], 'Created a user in fabrikam.');
});

test('an event happens where a subscription receives it, and an event that nobody receives is reported as such', async () => {
  for (const name of ['acme-everything', 'acme-concierge-lines', 'globex-everything']) await xpk(`unsubscribe ${name}`);
  assert.match(await xpk('trigger experience.assignment.created'), /but no subscription receives it\. Add one with: xpk subscribe URL/);
  await xpk('subscribe --alias only --experience switchboard');
  for (const type of eventTypes) assert.equal((await json(`trigger ${type}`)).deliveries[0].subscription, 'only');
});

test('when nothing is left to assign, an assignment of the world goes', async () => {
  await xpk('state add accounts alias=tiny name=Tiny');
  const once = '--account tiny --experience reception';
  assert.equal((await json(`trigger experience.assignment.created ${once}`)).did[0], 'Assigned reception to the ACCOUNT tiny.');
  await assert.rejects(xpk(`trigger experience.assignment.created ${once}`), /assigned already/);
  assert.deepEqual((await json(`trigger experience.assignment.deleted ${once}`)).did, ['Took reception from the ACCOUNT tiny.']);
  await xpk(`trigger experience.connection.created ${once}`);
  const again = ['Removed the connection of tiny to reception.', 'Connected tiny to reception, INACTIVE.'];
  assert.deepEqual((await json(`trigger experience.connection.created ${once}`)).did, again);
});

test('what does not exist is refused with what does, and an actor is passed on', async () => {
  await assert.rejects(xpk('trigger experience.connection.create'), /Did you mean "experience\.connection\.created"/);
  await assert.rejects(xpk('trigger experience.connection.created --account nortwind'), /Did you mean "northwind"/);
  await assert.rejects(xpk('trigger experience.connection.created --as provider'), /Allowed choices are portal, platform/);
  await xpk('trigger experience.connection.deleted --as platform');
  await xpk('reset empty');
  await assert.rejects(xpk('trigger experience.connection.created'), /needs an account and an Experience/);
});

test('xpk trigger raw sends what is made up: a file as it stands, or data in an envelope', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'raw-'));
  const file = join(folder, 'event.json');
  const data = {
    userId: '019cb8c1-2f10-7d4b-9e8a-0b1c2d3e4f50',
    accountId: '8c2d4e6f-1a3b-4c5d-8e7f-9a0b1c2d3e4f',
    updatedAt: '2026-03-01T09:30:00Z',
  };
  try {
    await writeFile(file, '{ "made": "up" }');
    const sent = await json(`trigger raw --subscription acme-everything --allow-invalid --header a:b --header c:d --body @${file}`);
    const { body, headers, type } = await json(`deliveries ${sent.id}`);
    assert.deepEqual([type, body, headers], ['raw', { made: 'up' }, { a: 'b', c: 'd' }]);
    await assert.rejects(
      xpk(`trigger raw --subscription acme-everything --body @${file}`),
      /--body: type is missing.* With --allow-invalid it is sent/,
    );
    const enveloped = ['trigger raw --subscription acme-everything --type provisioning.user.deleted --data', JSON.stringify(data)] as const;
    assert.match(await xpk(...enveloped), /^Sending it to acme-everything: delivery \S+\.$/);
    await assert.rejects(
      xpk('trigger raw --subscription acme-everything --body @nowhere.json'),
      /nowhere\.json cannot be read: there is none/,
    );
    await assert.rejects(xpk('trigger raw --subscription acme-everything --type x --data {'), /--data is not JSON/);
    await assert.rejects(xpk('trigger raw --subscription acme-everything --body x --header nothing'), /a name, a colon and a value/);
    await assert.rejects(xpk('trigger raw --body x'), /required option '--subscription/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('under other decisions an event happens, too', async () => {
  const other = await createKit({
    port: 0,
    set: {
      'provisioning.assigned-means': 'connection',
      'assignments.create.needs-connection': 409,
      'connections.create.activated-event': 'yes',
      'events.connection.deleted.deactivated-first': 'yes',
      'portal.delete-with-numbers': 'refused',
    },
  });
  try {
    const there = verbsAt(() => other, { trigger: triggerCommand });
    for (const type of eventTypes) assert.ok((await there.json(`trigger ${type}`)).deliveries.length > 0, type);
  } finally {
    await other.close();
  }
});
