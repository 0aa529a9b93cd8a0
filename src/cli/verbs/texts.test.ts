import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Receiver, startReceiver } from '../../events/testing/receiver.ts';
import { createKit, type Kit } from '../../kit.ts';
import { world } from '../../testing/event-lab.ts';
import { createXpk } from '../testing/run.ts';

let kit: Kit;
let receiver: Receiver;
before(async () => {
  kit = await createKit({ port: 0, fixtures: world });
  receiver = await startReceiver();
});
after(async () => {
  await kit.close();
  await receiver.close();
});
const { xpk } = createXpk(() => ['--url', kit.url]);

const CREATED_EVENT = [
  '{',
  '  "type": "experience.connection.created",',
  '  "timestamp": "TIME",',
  '  "subscriptionId": "ID",',
  '  "scope": {',
  '  "experienceId": "ID"',
  '  },',
  '  "data": {',
  '  "connectionId": "ID",',
  '  "experienceId": "ID",',
  '  "experienceName": "Desk",',
  '  "providerId": "ID",',
  '  "accountId": "ID",',
  '  "updatedAt": "TIME"',
  '  }',
  '}',
];

/** The commands run in this order. `$HOOK` stands for a receiver's URL, and `$DELIVERY` for the id of the newest delivery. */
const TEXTS: readonly (readonly [line: string, ...printed: string[]])[] = [
  ['health', 'up', 'database (sqlite): up'],
  ['reset empty', 'The world is now empty: no entities.'],
  ['snapshot list', 'There are no snapshots. Save one with: xpk snapshot save NAME'],
  ['reset', 'The world is now deliveries: 1 provider, 1 experience, 2 accounts, 1 telephone number, 1 user, 1 principal, 1 client.'],
  [
    'snapshot save before',
    'Saved before, a snapshot of the world deliveries: 1 provider, 1 experience, 2 accounts, 1 telephone number, 1 user, 1 principal, 1 client.',
  ],
  ['snapshot list', 'before  TIME  deliveries: 1 provider, 1 experience, 2 accounts, 1 telephone number, 1 user, 1 principal, 1 client'],
  [
    'snapshot load before',
    'The world is now deliveries: 1 provider, 1 experience, 2 accounts, 1 telephone number, 1 user, 1 principal, 1 client.',
  ],
  ['snapshot delete before', 'Deleted the snapshot before.'],
  ['clock advance 1d2h30m', 'TIME, 1d2h30m ahead of wall time'],
  ['clock', 'TIME, 1d2h30m ahead of wall time'],
  ['reset seed', 'The world is now deliveries: 1 provider, 1 experience, 2 accounts, 1 telephone number, 1 user, 1 principal, 1 client.'],
  ['clock', 'TIME, the same as wall time'],
  ['fault list', 'There are no faults.'],
  [
    'fault add --fault problem --operation getUser --status 503 --times 2 --after 1',
    'fault-1  getUser  problem 503  after 1, 2 times  0 hits so far',
  ],
  [
    'fault add --fault latency --latency 1-9 --probability .5 --seed 4 --match userId=1=2',
    'fault-2  every operation userId=1=2  latency 1-9 ms  probability 0.5, seed 4, every time  0 hits so far',
  ],
  ['fault add --fault problem --status 404', 'fault-3  every operation that documents 404  problem 404  every time  0 hits so far'],
  ['fault add --fault problem --status 404 --undocumented --times 1', 'fault-4  every operation  problem 404  1 time  0 hits so far'],
  [
    'fault list',
    'fault-1  getUser  problem 503  after 1, 2 times  0 hits so far',
    'fault-2  every operation userId=1=2  latency 1-9 ms  probability 0.5, seed 4, every time  0 hits so far',
    'fault-3  every operation that documents 404  problem 404  every time  0 hits so far',
    'fault-4  every operation  problem 404  1 time  0 hits so far',
  ],
  ['fault clear fault-1', 'Removed fault-1.'],
  ['fault clear', 'Removed all faults.'],
  ['subscriptions', 'There are no subscriptions. Add one with: xpk subscribe URL'],
  ['inbox', 'The inbox is empty. It shows deliveries to subscriptions without a destination; xpk deliveries lists all deliveries.'],
  ['subscribe --alias box', 'Subscribed box (ID): all event types of acme to the inbox, which xpk inbox --subscription box shows.'],
  [
    'subscribe $HOOK --alias crm --experience desk --types provisioning.user.created,experience.connection.created',
    'Subscribed crm (ID): provisioning.user.created, experience.connection.created of the Experience desk of acme to HOOK.',
  ],
  ['deliveries', 'No delivery matches. Cause an event with: xpk trigger TYPE'],
  [
    'state add connections account=north experience=desk',
    'alias: ID',
    'id: ID',
    'account: north',
    'experience: desk',
    'state: INACTIVE',
    'updatedAt: TIME',
  ],
  [
    'wait --subscription crm',
    'TIME  STATE  ATTEMPTS  TYPE  SUBSCRIPTION  NEXT ATTEMPT  ID',
    'TIME  acknowledged  1  experience.connection.created  crm  -  ID',
  ],
  [
    'deliveries $DELIVERY',
    'TIME  STATE  ATTEMPTS  TYPE  SUBSCRIPTION  NEXT ATTEMPT  ID',
    'TIME  acknowledged  1  experience.connection.created  crm  -  ID',
    '',
    'webhook-id: ID',
    ...CREATED_EVENT,
    '',
    'attempt 1  TIME  204  N ms',
  ],
  [
    'inbox --subscription box',
    'TIME  delivery ID',
    'content-type: application/json',
    'webhook-id: ID',
    'webhook-timestamp: SECONDS',
    ...CREATED_EVENT,
  ],
  ['inbox --clear', 'The inbox is empty.'],
  ['redeliver $DELIVERY', 'Sending experience.connection.created to crm again; xpk deliveries ID shows the result.'],
  [
    'wait --subscription crm',
    'TIME  STATE  ATTEMPTS  TYPE  SUBSCRIPTION  NEXT ATTEMPT  ID',
    'TIME  acknowledged  2  experience.connection.created  crm  -  ID',
  ],
  ['recover crm --since 2099-01-01T00:00:00Z', 'No delivery since TIME needs to be sent again.'],
  ['recover crm --since 2020-01-01T00:00:00Z --acknowledged', 'Sending 1 delivery again.'],
  [
    'wait --subscription crm',
    'TIME  STATE  ATTEMPTS  TYPE  SUBSCRIPTION  NEXT ATTEMPT  ID',
    'TIME  acknowledged  3  experience.connection.created  crm  -  ID',
  ],
  ['duplicate $DELIVERY', 'Sent the delivery once more: 204, N ms.'],
  ['mode crm', 'crm has no delivery mode.', 'No deliveries are held.'],
  [
    'mode crm --duplicate 1 --drop-acknowledgement 2',
    'The delivery mode of crm:',
    '  duplicate 1  each delivery is sent once more after it is acknowledged',
    '  drop-acknowledgement 2  the first 2 acknowledgements of each delivery are treated as lost',
    'This replaces the previous mode. Off: reorder, delay, hold.',
    'No deliveries are held.',
  ],
  [
    'mode crm --duplicate 2 --reorder 1m30s --delay 250ms',
    'The delivery mode of crm:',
    '  duplicate 2  each delivery is sent 2 more times after it is acknowledged',
    '  reorder 1m30s  first attempts from the first half of each time window are sent at random times in the second half of the window',
    '  seed 0  the seed for reorder: with the same seed, the same events are sent in the same order',
    '  delay 250ms  first attempts are delayed by this duration, in kit time',
    'This replaces the previous mode. Off: drop-acknowledgement, hold.',
    'No deliveries are held.',
  ],
  [
    'mode crm --hold',
    'The delivery mode of crm:',
    '  hold  first attempts are held until they are released',
    'This replaces the previous mode. Off: duplicate, reorder, delay, drop-acknowledgement.',
    'No deliveries are held.',
  ],
  [
    'trigger experience.connection.created',
    'Connected south to desk, INACTIVE.',
    'Published experience.connection.created for box: delivery ID.',
    'Published experience.connection.created for crm: delivery ID.',
  ],
  [
    'trigger experience.connection.deleted',
    'Removed the connection of north to desk.',
    'Published experience.connection.deleted for box: delivery ID.',
  ],
  [
    'trigger experience.connection.created',
    'Connected north to desk, INACTIVE.',
    'Published experience.connection.created for box: delivery ID.',
    'Published experience.connection.created for crm: delivery ID.',
  ],
  [
    'wait --subscription box --count 3',
    'TIME  STATE  ATTEMPTS  TYPE  SUBSCRIPTION  NEXT ATTEMPT  ID',
    'TIME  acknowledged  1  experience.connection.created  box  -  ID',
    'TIME  acknowledged  1  experience.connection.deleted  box  -  ID',
    'TIME  acknowledged  1  experience.connection.created  box  -  ID',
    'TIME  acknowledged  1  experience.connection.created  box  -  ID',
  ],
  [
    'subscriptions',
    'box  acme  every Experience  the inbox  all types  4 acknowledged',
    'crm  acme  desk  HOOK  provisioning.user.created, experience.connection.created  1 acknowledged, 2 held  hold',
  ],
  [
    'mode crm',
    'The delivery mode of crm:',
    '  hold  first attempts are held until they are released',
    '2 deliveries are held. Send them with: xpk release crm',
  ],
  [
    'release crm --count 1',
    'TIME  STATE  ATTEMPTS  TYPE  SUBSCRIPTION  NEXT ATTEMPT  ID',
    'TIME  acknowledged  1  experience.connection.created  crm  -  ID',
    'Released 1. 1 delivery is still held.',
  ],
  [
    'release crm',
    'TIME  STATE  ATTEMPTS  TYPE  SUBSCRIPTION  NEXT ATTEMPT  ID',
    'TIME  acknowledged  1  experience.connection.created  crm  -  ID',
    'Released 1. No deliveries are held now.',
  ],
  ['release crm', 'No delivery to crm is held. Hold its next deliveries with: xpk mode crm --hold'],
  ['mode crm --none', 'crm has no delivery mode.', 'No deliveries are held.'],
  ['trigger raw --subscription crm --allow-invalid --body x', 'Sending the payload to crm: delivery ID.'],
  ['events --limit 1', 'TIME  TYPE  ENTITY  DELIVERIES  ID', 'TIME  raw  1  ID'],
  ['changes --limit 1', 'TIME  ACTOR  ACTION  COLLECTION  ALIAS', 'TIME  platform  changed  subscriptions  crm'],
  ['unsubscribe crm', 'Unsubscribed crm.'],
  [
    'state list connections',
    'ID:',
    '  id: ID',
    '  account: south',
    '  experience: desk',
    '  state: INACTIVE',
    '  updatedAt: TIME',
    'ID:',
    '  id: ID',
    '  account: north',
    '  experience: desk',
    '  state: INACTIVE',
    '  updatedAt: TIME',
  ],
  [
    'world',
    'The world is deliveries: 1 provider, 1 experience, 2 accounts, 1 telephone number, 1 user, 1 principal, 1 client, 2 connections, 1 subscription.',
  ],
];

/** Replaces the values that differ between runs. */
function normalize(text: string): string {
  return text
    .replaceAll(receiver.url, 'HOOK')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/ \d+ ms\b/g, ' N ms')
    .replaceAll(/\d{10}/g, 'SECONDS')
    .replaceAll(/ {2,}/g, '  ');
}

async function createArgs(line: string): Promise<string> {
  const { data: deliveries } = await kit.control.GET('/_control/deliveries', { params: { query: { limit: 100 } } });
  return line.replace('$HOOK', receiver.url).replace('$DELIVERY', deliveries.find(({ subscription }) => subscription === 'crm')?.id ?? '');
}

for (const [line, ...printed] of TEXTS)
  test(`xpk ${line} prints ${printed[0]}`, async () => assert.equal(normalize(await xpk(await createArgs(line))), printed.join('\n')));
