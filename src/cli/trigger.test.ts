import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type EventType, eventTypes } from '../contract/generated/events.ts';
import { createKit } from '../kit.ts';
import { startKitWithReceiver } from './testing/receiver-kit.ts';
import { createXpk } from './testing/run.ts';

const { started, xpk, json } = startKitWithReceiver({});

const EVENT_TYPES_BY_ENTITY = ['experience.connection.created', 'experience.assignment.deleted', 'provisioning.user.created'] as const;

const COLLECTION_BY_TYPE: Readonly<Record<EventType, string>> = {
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
  test(`every call of xpk trigger ${type} causes the event, and the newest subscription receives it`, async () => {
    await xpk(`subscribe ${started.receiver.url} --provider globex --alias older`);
    await xpk(`subscribe ${started.receiver.url} --provider acme --alias mine`);
    const start = started.receiver.received.length;
    for (let time = 0; time < 2; time++) {
      const { entityId, did, deliveries, subscriptions } = await json(`trigger ${type}`);
      assert.ok(did.length > 0 && subscriptions.includes('mine'));
      for (const delivery of deliveries) assert.deepEqual([delivery.type, delivery.entityId], [type, entityId]);
      const entity = xpk(`state get ${COLLECTION_BY_TYPE[type]} ${entityId}`);
      await (type.endsWith('.deleted') ? assert.rejects(entity, /There is no/) : entity);
      const [{ attempts }] = await json(`wait --subscription mine --type ${type} --entity ${entityId}`);
      assert.equal(attempts, 1);
      const events = started.receiver.received.slice(start).map(({ event }) => event);
      assert.ok(events.some((event) => event.type === type && Object.values(event.data as object).includes(entityId)));
    }
    assert.match(await xpk(`trigger ${type}`), new RegExp(`\\.\nPublished ${type} for \\S+: delivery \\S+\\.(\n.*)?$`, 's'));
  });
}

test('for a deletion event, xpk trigger creates and deletes an entity, so that the world does not change', async () => {
  const world = await xpk('state get');
  for (const type of eventTypes.filter((name) => name.endsWith('.deleted'))) await xpk(`trigger ${type}`);
  assert.equal(await xpk('state get'), world);
});

const EXPECTED_STEPS: readonly [line: string, steps: readonly string[]][] = [
  ['experience.connection.deleted --account contoso --experience reception', ['Removed the connection of contoso to reception.']],
  [
    'experience.connection.activated --account northwind --experience concierge',
    ['The connection of northwind to concierge is now INACTIVE.', 'The connection of northwind to concierge is now ACTIVE.'],
  ],
  [
    'experience.connection.deactivated --account fabrikam --experience scheduler',
    ['Connected fabrikam to scheduler, ACTIVE.', 'The connection of fabrikam to scheduler is now INACTIVE.'],
  ],
  [
    'provisioning.user.created --account fabrikam --experience concierge',
    [
      'Assigned concierge to the ACCOUNT fabrikam, because users have events only if their account has an assignment.',
      'Created a user in fabrikam.',
    ],
  ],
];
for (const [line, steps] of EXPECTED_STEPS)
  test(`xpk trigger ${line} returns its steps`, async () => assert.deepEqual((await json(`trigger ${line}`)).did, steps));

test('xpk trigger also lists the events that it caused besides the requested event', async () => {
  const line = 'trigger experience.connection.deleted --account fabrikam --experience scheduler';
  assert.match(await xpk(line), /: delivery \S+\.\nAlso published experience\.connection\.created for acme-everything\.$/);
  const { deliveries, also } = await json(line);
  const types = [...deliveries, ...also].map(({ type }) => type);
  assert.deepEqual(types, ['experience.connection.deleted', 'experience.connection.created']);
});

test('xpk trigger prefers an Experience with a subscription, and reports if no subscription receives the event', async () => {
  for (const name of ['acme-everything', 'acme-concierge-lines', 'globex-everything']) await xpk(`unsubscribe ${name}`);
  assert.match(await xpk('trigger experience.assignment.created'), /but no subscription receives it\. Add one with: xpk subscribe URL/);
  await xpk('subscribe --alias only --experience switchboard');
  for (const type of EVENT_TYPES_BY_ENTITY) assert.equal((await json(`trigger ${type}`)).deliveries[0].subscription, 'only');
});

test('xpk trigger deletes an existing assignment and replaces an existing connection, but refuses to create an existing assignment', async () => {
  await xpk('state add accounts alias=tiny name=Tiny');
  const place = '--account tiny --experience reception';
  const runTrigger = async (type: string) => (await json(`trigger ${type} ${place}`)).did;
  assert.deepEqual(await runTrigger('experience.assignment.created'), ['Assigned reception to the ACCOUNT tiny.']);
  await assert.rejects(xpk(`trigger experience.assignment.created ${place}`), /^Error: \[1\] .*already assigned/);
  assert.deepEqual(await runTrigger('experience.assignment.deleted'), ['Removed the assignment of reception to the ACCOUNT tiny.']);
  await runTrigger('experience.connection.created');
  const replaced = ['Removed the connection of tiny to reception.', 'Connected tiny to reception, INACTIVE.'];
  assert.deepEqual(await runTrigger('experience.connection.created'), replaced);
});

test('--subscription selects the subscription that receives the event, even if a newer subscription has a destination', async () => {
  await xpk(`subscribe ${started.receiver.url} --provider acme --alias mine`);
  for (const type of EVENT_TYPES_BY_ENTITY) {
    assert.deepEqual((await json(`trigger ${type} --subscription globex-everything`)).subscriptions, ['globex-everything']);
    assert.match(await xpk(`trigger ${type} --subscription mine`), new RegExp(`\nPublished ${type} for mine: delivery`));
  }
});

test('if the subscription in --subscription would not receive the event, xpk trigger fails before it changes the world', async () => {
  const world = await xpk('state get');
  for (const [line, message] of [
    [
      'provisioning.user.created --subscription acme-concierge-lines',
      /does not receive provisioning\.user\.created\. It receives: experience\.assign/,
    ],
    [
      'experience.assignment.created --subscription acme-concierge-lines --experience scheduler',
      /about the Experience scheduler\. Give no Experience, or the Experience concierge\./,
    ],
    [
      'experience.assignment.created --subscription acme-everything --experience directory',
      /Give no Experience, or an Experience of the provider acme/,
    ],
  ] as const)
    await assert.rejects(xpk(`trigger ${line}`), message);
  assert.equal(await xpk('state get'), world);
});

test('with --account, xpk trigger chooses an Experience from a provider that the account is connected to', async () => {
  await xpk('state add accounts alias=solo name=Solo');
  await xpk('state add connections account=solo experience=switchboard');
  for (const type of EVENT_TYPES_BY_ENTITY) {
    assert.deepEqual((await json(`trigger ${type} --account solo`)).subscriptions, ['globex-everything'], type);
    assert.ok((await json(`trigger ${type} --account fabrikam`)).subscriptions.includes('acme-everything'), type);
  }
});

test('--as sets the actor for the changes, and xpk trigger refuses a world without accounts', async () => {
  await xpk('trigger experience.connection.deleted --as platform');
  await xpk('reset empty');
  await assert.rejects(
    xpk('trigger experience.connection.created'),
    /^Error: \[1\] .*needs an account and an Experience, but the world has no account\./,
  );
});

test('xpk trigger raw sends the file in --body unchanged, and wraps the value of --data in an envelope', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'raw-'));
  const file = join(folder, 'event.json');
  const raw = 'trigger raw --subscription acme-everything';
  try {
    await writeFile(file, '{ "made": "up" }');
    const { id } = await json(`${raw} --allow-invalid --header a:b --header c:d --body @${file}`);
    const { body, headers, type } = await json(`deliveries ${id}`);
    assert.deepEqual([type, body, headers], ['raw', { made: 'up' }, { a: 'b', c: 'd' }]);
    await assert.rejects(xpk(`${raw} --body @${file}`), /body\/type is missing/);
  } finally {
    await rm(folder, { recursive: true });
  }
  const data = {
    userId: '019cb8c1-2f10-7d4b-9e8a-0b1c2d3e4f50',
    accountId: '8c2d4e6f-1a3b-4c5d-8e7f-9a0b1c2d3e4f',
    updatedAt: '2026-03-01T09:30:00Z',
  };
  const sent = await xpk(`${raw} --type provisioning.user.deleted --data`, JSON.stringify(data));
  assert.match(sent, /^Sending the payload to acme-everything: delivery \S+\.$/);
});

test('xpk trigger can cause every event, even if decisions differ from their defaults', async () => {
  const kit = await createKit({
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
    const other = createXpk(() => ['--url', kit.url]);
    for (const type of eventTypes) assert.ok((await other.json(`trigger ${type}`)).deliveries.length > 0, type);
  } finally {
    await kit.close();
  }
});
