import assert from 'node:assert/strict';
import type { EventType } from '../contract/generated/events.ts';
import { readConnection } from '../service/connections.ts';
import { type ActorName, type Lab, onPostgres, onSqlite } from './testing/state-lab.ts';

type Published = readonly [type: EventType, entity: string];
type Request = readonly [request: string, body?: object | undefined];

const DESK_SUBSCRIPTIONS = ['desk-only', 'everything'];

const CHANGES_WITH_EVENTS: readonly (readonly [
  request: string,
  body: object | undefined,
  publishes: readonly Published[],
  to: readonly string[],
])[] = [
  ['PUT connections/new', { account: 'south', experience: 'desk' }, [['experience.connection.created', 'new']], DESK_SUBSCRIPTIONS],
  ['PUT connections/new', { account: 'south', experience: 'kiosk' }, [['experience.connection.created', 'new']], ['rival-everything']],
  [
    'PATCH connections/south-lobby',
    { state: 'ACTIVE' },
    [['experience.connection.activated', 'south-lobby']],
    ['everything', 'lobby-only'],
  ],
  ['PATCH connections/north-desk', { state: 'INACTIVE' }, [['experience.connection.deactivated', 'north-desk']], DESK_SUBSCRIPTIONS],
  ['DELETE connections/north-desk', undefined, [['experience.connection.deleted', 'north-desk']], DESK_SUBSCRIPTIONS],
  ...Object.entries({ ACCOUNT: 'south', PHONE_NUMBER: '+12065550101', USER: 'bob' }).map(
    ([targetType, target]) =>
      [
        'PUT assignments/new',
        { experience: 'desk', targetType, target },
        [['experience.assignment.created', 'new']] as Published[],
        DESK_SUBSCRIPTIONS,
      ] as const,
  ),
  ['DELETE assignments/desk-number', undefined, [['experience.assignment.deleted', 'desk-number']], DESK_SUBSCRIPTIONS],
  ['DELETE telephoneNumbers/+12065550100', undefined, [['experience.assignment.deleted', 'desk-number']], DESK_SUBSCRIPTIONS],
  ['PUT users/new', { account: 'north' }, [['provisioning.user.created', 'new']], DESK_SUBSCRIPTIONS],
  ['DELETE users/bob', undefined, [['provisioning.user.deleted', 'bob']], DESK_SUBSCRIPTIONS],
  [
    'DELETE users/ada',
    undefined,
    [
      ['provisioning.user.deleted', 'ada'],
      ['experience.assignment.deleted', 'desk-ada'],
    ],
    [...DESK_SUBSCRIPTIONS, ...DESK_SUBSCRIPTIONS].toSorted(),
  ],
  ['DELETE accounts/south', undefined, [['experience.connection.deleted', 'south-lobby']], ['everything', 'lobby-only']],
];

const CHANGES_WITHOUT_EVENTS: readonly Request[] = [
  ['PUT users/new', { account: 'south' }],
  ['DELETE users/cy'],
  ['DELETE telephoneNumbers/+12065550101'],
  ['PATCH accounts/north', { name: 'Nord' }],
  ['PATCH experiences/desk', { name: 'Bureau' }],
  ['PATCH providers/acme', { name: 'Akme' }],
  ['PATCH users/ada', { firstName: 'Augusta' }],
  ['PATCH principals/ann', { name: 'Anna' }],
  ['PATCH clients/backend', { name: 'Server' }],
  ['PUT accounts/new', { name: 'East' }],
  ['PUT telephoneNumbers/+12065550900', { account: 'new' }],
  ['PUT experiences/new', { provider: 'acme', name: 'New' }],
  ['DELETE subscriptions/rival-everything'],
  ['DELETE experiences/new'],
];

/** @returns the published events with their entities' aliases */
async function publishEvents(lab: Lab, requests: readonly Request[], as?: ActorName): Promise<Published[]> {
  const aliases = await listAliases(lab);
  const before = (await lab.listEvents()).length;
  for (const [request, body] of requests) await lab.send(request, body, as);
  for (const [id, alias] of await listAliases(lab)) aliases.set(id, alias);
  return (await lab.listEvents()).slice(before).map(({ type, entityId }) => [type, aliases.get(entityId) ?? entityId]);
}

async function listAliases(lab: Lab): Promise<Map<string, string>> {
  const { users, assignments, connections, subscriptions } = await lab.dump();
  const entities = [users, assignments, connections, subscriptions].flatMap((collection) => Object.entries(collection ?? {}));
  return new Map(entities.map(([alias, { id }]) => [id!, alias]));
}

async function listReceivers(lab: Lab): Promise<string[]> {
  const aliases = await listAliases(lab);
  return (await lab.listDeliveries()).map(({ subscriptionId }) => aliases.get(subscriptionId)!).sort();
}

for (const check of [onSqlite(), onPostgres()]) {
  for (const [request, body, publishes, to] of CHANGES_WITH_EVENTS) {
    check(`${request} ${JSON.stringify(body) ?? ''} publishes ${publishes.map(([type]) => type).join(' and ')}`, async (lab) => {
      assert.deepEqual(await publishEvents(lab, [[request, body]]), publishes);
      assert.deepEqual(await listReceivers(lab), to);
    });
  }

  check('a change for which the specification defines no event publishes nothing', async (lab) => {
    assert.deepEqual(await publishEvents(lab, CHANGES_WITHOUT_EVENTS), []);
  });

  check('deleting an account deletes its users, assignments and connections in this order, and publishes their events', async (lab) => {
    await lab.send('PUT assignments/lobby-north', { experience: 'lobby', targetType: 'ACCOUNT', target: 'north' });
    const published = (await publishEvents(lab, [['DELETE accounts/north']])).map(([type, entity]) => `${type} ${entity}`);
    // Two Experiences are still assigned to the account when its users are deleted, so each deletion publishes two events.
    assert.deepEqual(published.slice(0, 5).sort(), [
      'experience.assignment.deleted desk-ada',
      'provisioning.user.deleted ada',
      'provisioning.user.deleted ada',
      'provisioning.user.deleted bob',
      'provisioning.user.deleted bob',
    ]);
    assert.deepEqual(published.slice(5, 8).sort(), [
      'experience.assignment.deleted desk-north',
      'experience.assignment.deleted desk-number',
      'experience.assignment.deleted lobby-north',
    ]);
    assert.deepEqual(published.slice(8), ['experience.connection.deleted north-desk']);
    const { users, telephoneNumbers, assignments, connections, principals } = await lab.dump();
    const left = Object.keys({ ...users, ...telephoneNumbers, ...assignments, ...connections });
    assert.deepEqual([left, principals!.ann!.accounts], [['cy', '+12065550200', 'south-lobby'], undefined]);
  });

  check('decisions determine which provisioning events are published', async (lab) => {
    for (const experience of ['lobby', 'kiosk']) await lab.send('POST assignments', { experience, targetType: 'ACCOUNT', target: 'north' });
    assert.equal((await publishEvents(lab, [['PUT users/new', { account: 'north' }]])).length, 3, 'one for each experience');
    lab.setDecisions({ 'provisioning.several-experiences': 'one' });
    assert.equal((await publishEvents(lab, [['DELETE users/new']])).length, 2, 'one for each provider');
    lab.setDecisions({ 'provisioning.account-deleted': 'not-sent' });
    const types = (await publishEvents(lab, [['DELETE accounts/north']])).map(([type]) => type);
    assert.ok(types.length > 0 && !types.includes('provisioning.user.deleted'));
    lab.setDecisions({ 'provisioning.assigned-means': 'connection' });
    assert.equal((await publishEvents(lab, [['POST users', { account: 'south' }]])).length, 1);
  });

  const sameState = [
    'PATCH connections/north-desk',
    { state: 'ACTIVE' },
    '',
    'already ACTIVE. (Rule connections.update.same-state.)',
  ] as const;
  check('a request to set a connection to its current state is refused', async (lab) => {
    await lab.expectRefusals('conflict', [
      [...sameState, 'portal'],
      [...sameState, 'platform'],
    ]);
  });

  check('a decision can make the portal ignore a request to set a connection to its current state', async (lab) => {
    lab.setDecisions({ 'portal.same-state': 'no-op' });
    assert.deepEqual(await publishEvents(lab, [['PATCH connections/north-desk', { state: 'ACTIVE' }]], 'portal'), []);
    await lab.expectRefusals('conflict', [[...sameState, 'platform']]);
  });

  check('a decision can forbid deleting a connection in the portal while telephone numbers are assigned', async (lab) => {
    lab.setDecisions({ 'portal.delete-with-numbers': 'refused' });
    await lab.expectRefusals('conflict', [['DELETE connections/north-desk', undefined, '', 'numbers-assigned', 'portal']]);
    await lab.send('DELETE connections/north-desk', undefined, 'platform');
  });

  check('updatedAt increases with every change, even within a millisecond, both in the entity and in its events', async (lab) => {
    const shown = [(await lab.send('PUT connections/new', { account: 'south', experience: 'desk' })).updatedAt];
    for (const state of ['ACTIVE', 'INACTIVE', 'ACTIVE']) shown.push((await lab.send('PATCH connections/new', { state })).updatedAt);
    await lab.send('DELETE connections/new');
    const published = (await lab.listEvents()).map(({ data }) => data.updatedAt);
    assert.deepEqual(published.slice(0, 4), shown);
    assert.deepEqual(
      published.map((updatedAt) => updatedAt.slice(-4)),
      ['000Z', '001Z', '002Z', '003Z', '004Z'],
    );
  });

  check("a deletion's updatedAt is later than the updatedAt of the creation and of all updates", async (lab) => {
    await publishEvents(lab, [
      ['PUT assignments/new', { experience: 'desk', targetType: 'USER', target: 'bob' }],
      ['DELETE assignments/new'],
      ['PUT users/new', { account: 'north', firstName: 'A' }],
      ['PATCH users/new', { firstName: 'B' }],
      ['DELETE users/new'],
    ]);
    const published = (await lab.listEvents()).map(({ data }) => data.updatedAt.slice(-4));
    assert.deepEqual(published, ['000Z', '001Z', '000Z', '002Z']);
  });

  check('a write that keeps all names of a user does not set updatedAt', async (lab) => {
    const { alias: _, ...ada } = await lab.send('PATCH users/ada', { firstName: 'Ada', nativeIds: [] });
    assert.equal(ada.updatedAt, null);
    assert.deepEqual(await lab.send('PUT users/ada', ada), { alias: 'ada', ...ada });
  });

  check('after an account is renamed, its connections immediately have the new name', async (lab) => {
    await lab.send('PATCH accounts/north', { name: 'Nord' });
    const read = await readConnection(lab.context, { kind: 'platform' }, await lab.getId('connections', 'north-desk'));
    assert.equal('body' in read && read.body.accountName, 'Nord');
  });

  check('after an experience is renamed, the deliveries for earlier events keep the old name', async (lab) => {
    await lab.send('PATCH connections/north-desk', { state: 'INACTIVE' });
    await lab.send('PATCH experiences/desk', { name: 'Bureau' });
    await lab.send('PATCH connections/north-desk', { state: 'ACTIVE' });
    const names = (await lab.listDeliveries()).map(({ data }) => (data as { experienceName?: string }).experienceName);
    assert.deepEqual(names, ['Desk', 'Desk', 'Bureau', 'Bureau']);
  });

  check("a deleted subscription's deliveries remain", async (lab) => {
    await lab.send('PATCH connections/north-desk', { state: 'INACTIVE' });
    await lab.send('DELETE subscriptions/desk-only');
    await lab.send('PATCH connections/north-desk', { state: 'ACTIVE' });
    assert.equal((await lab.listDeliveries()).length, 3);
  });

  check('a changed subscription receives only events that match the new types and experience', async (lab) => {
    await lab.send('PATCH subscriptions/desk-only', { types: ['experience.connection.activated'] });
    await lab.send('PATCH subscriptions/everything', { experience: 'lobby' });
    for (const state of ['INACTIVE', 'ACTIVE']) await lab.send('PATCH connections/north-desk', { state });
    assert.deepEqual(await listReceivers(lab), ['desk-only']);
  });

  check("the world's version changes only if access tokens or permissions may have changed", async (lab) => {
    const requests: readonly [changes: boolean, ...Request][] = [
      [true, 'PATCH experiences/spare', { levels: { rival: 'read' } }],
      [true, 'PATCH principals/ann', { accounts: { north: null } }],
      [true, 'DELETE clients/backend'],
      [true, 'DELETE accounts/north'],
      [false, 'PATCH connections/south-lobby', { state: 'ACTIVE' }],
      [false, 'PATCH users/cy', { firstName: 'Cyd' }],
    ];
    for (const [changes, request, body] of requests) {
      const { version } = lab.world;
      await lab.send(request, body);
      assert.equal(lab.world.version !== version, changes, request);
    }
  });
}
