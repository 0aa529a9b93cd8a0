import assert from 'node:assert/strict';
import type { Collection } from '../world/world.ts';
import { type Check, type Entity, type Lab, labWorld, NOON_MS, onPostgres, onSqlite } from './testing/state-lab.ts';

interface EntityLifecycle {
  /** The body of the POST request that creates the entity. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The members that the kit adds to the created entity. */
  readonly added?: Readonly<Record<string, unknown>>;
  /** The body of a PUT request, and the members that the kit adds to it. */
  readonly put: readonly [body: object, added?: object];
  /** The body of a PATCH request to the created entity, and the resulting members. */
  readonly patch: readonly [body: object, read: object];
}

const OTHER_ID = '0f5ad5bc-63f2-4d6c-9d7e-2b7f1f0a5c11';
const UPDATED_MEMBERS = '2026-03-01T12:00:00.001Z';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const JWK = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
const assignmentTo = { experience: 'lobby', targetType: 'USER', target: 'cy' };
const connectionTo = { account: 'north', experience: 'lobby' };

const LIFECYCLES: { readonly [C in Collection]: EntityLifecycle } = {
  providers: { body: { name: 'New' }, put: [{ name: 'Newer' }], patch: [{ name: 'Newest' }, { name: 'Newest' }] },
  experiences: {
    body: { provider: 'acme', name: 'New', levels: { rival: 'read', acme: 'none' } },
    added: { type: 'GENERAL' },
    put: [{ provider: 'acme', name: 'Newer' }, { type: 'GENERAL' }],
    patch: [{ levels: { acme: null, rival: 'manage' } }, { provider: 'acme', name: 'New', type: 'GENERAL', levels: { rival: 'manage' } }],
  },
  accounts: { body: { name: 'East' }, put: [{ name: 'West' }], patch: [{ name: 'West' }, { name: 'West' }] },
  telephoneNumbers: { body: { account: 'south' }, put: [{ account: 'south' }], patch: [{}, { account: 'south' }] },
  users: {
    body: { account: 'south', firstName: 'Dee', nativeIds: [{ style: 'legacy-numeric', id: '7' }] },
    added: { createdAt: NOON_MS, updatedAt: null },
    put: [
      { account: 'south', lastName: 'Dee' },
      { createdAt: NOON_MS, updatedAt: UPDATED_MEMBERS },
    ],
    patch: [
      { firstName: null, nativeIds: [{ style: 'base62', id: '7' }] },
      { account: 'south', createdAt: NOON_MS, updatedAt: UPDATED_MEMBERS, nativeIds: [{ style: 'base62', id: '7' }] },
    ],
  },
  principals: {
    body: { name: 'Dan', telephoneNumber: '+12065550107', accounts: { north: 'read' } },
    put: [{ name: 'Dan', consent: 'declines', accounts: { south: 'read' } }],
    patch: [
      { consent: 'declines', telephoneNumber: null, accounts: { south: 'manage' } },
      { name: 'Dan', consent: 'declines', accounts: { north: 'read', south: 'manage' } },
    ],
  },
  clients: {
    body: { provider: 'rival', name: 'App', secret: 'long enough' },
    put: [{ provider: 'rival', name: 'App', publicKey: JWK }],
    patch: [
      { secret: null, redirectUris: ['https://rival.example/'] },
      { provider: 'rival', name: 'App', redirectUris: ['https://rival.example/'] },
    ],
  },
  assignments: {
    body: assignmentTo,
    added: { updatedAt: NOON_MS },
    put: [assignmentTo, { updatedAt: NOON_MS }],
    patch: [{}, { ...assignmentTo, updatedAt: NOON_MS }],
  },
  connections: {
    body: connectionTo,
    added: { state: 'INACTIVE', updatedAt: NOON_MS },
    put: [{ ...connectionTo, state: 'ACTIVE' }, { updatedAt: UPDATED_MEMBERS }],
    patch: [{ state: 'ACTIVE' }, { ...connectionTo, state: 'ACTIVE', updatedAt: UPDATED_MEMBERS }],
  },
  subscriptions: {
    body: {
      provider: 'acme',
      experience: 'lobby',
      types: ['provisioning.user.created'],
      destinationUrl: 'https://acme.example/',
      secret: SECRET,
      mode: { hold: true },
    },
    put: [{ provider: 'acme', types: ['provisioning.user.deleted'], secret: SECRET }],
    patch: [
      { experience: null, destinationUrl: null, mode: null },
      { provider: 'acme', types: ['provisioning.user.created'], secret: SECRET },
    ],
  },
};

const removeKeys = ({ alias: _, id: __, ...members }: Entity | Record<string, unknown>) => members;

function testLifecycle(check: Check, collection: Collection, { body, added, put, patch }: EntityLifecycle): void {
  const isNumber = collection === 'telephoneNumbers';
  const name = isNumber ? '+12065550109' : 'new-one';
  const path = `${collection}/${name}`;

  check(`${collection}: an entity is created, found by alias and id, replaced, changed and deleted`, async (lab) => {
    const created = await lab.send(`POST ${collection}`, { alias: name, ...body });
    assert.deepEqual([created.alias, removeKeys(created)], [name, { ...body, ...added }]);
    for (const read of isNumber ? [name] : [name, created.id.toUpperCase()])
      assert.deepEqual(await lab.send(`GET ${collection}/${read}`), created);
    const listed = (await lab.send(`GET ${collection}`)) as unknown as Record<string, object>;
    assert.deepEqual({ alias: name, ...listed[name] }, created);
    const [replacement, addedThen] = put;
    const replaced = await lab.send(`PUT ${path}`, replacement);
    assert.deepEqual([replaced.id, removeKeys(replaced)], [created.id, { ...replacement, ...addedThen }]);
    assert.deepEqual(await lab.send(`GET ${path}`), replaced);

    await lab.send(`DELETE ${path}`);
    await lab.expectRefusals(
      'not-found',
      ['GET', 'PATCH', 'DELETE'].map((method) => [`${method} ${path}`, {}, '', 'There is no']),
    );
    const again = await lab.send(`PUT ${path}`, body);
    const [change, read] = patch;
    const patched = await lab.send(`PATCH ${path}`, change);
    assert.deepEqual([patched.id, removeKeys(patched)], [again.id, read]);
    assert.deepEqual(await lab.send(`GET ${path}`), patched);
    const dump = await lab.dump();
    await lab.send('PUT', dump);
    assert.deepEqual(await lab.dump(), dump);
  });

  if (collection === 'assignments' || collection === 'connections' || isNumber) return;
  check(`${collection}: a request can set a new entity's id, in the body or in the path`, async (lab) => {
    const chosen = await lab.send(`POST ${collection}`, { ...body, id: OTHER_ID });
    assert.deepEqual([chosen.alias, chosen.id], [OTHER_ID, OTHER_ID]);
    await lab.send(`DELETE ${collection}/${OTHER_ID}`);
    const put = await lab.send(`PUT ${collection}/${OTHER_ID.toUpperCase()}`, { ...body, alias: name });
    assert.deepEqual([put.alias, put.id], [name, OTHER_ID]);
  });
}

for (const check of [onSqlite(), onPostgres()]) {
  for (const [collection, life] of Object.entries(LIFECYCLES)) testLifecycle(check, collection as Collection, life);

  check('a reference is an alias, or an id in any letter case', async (lab) => {
    const cy = await lab.getId('users', 'cy');
    const { alias } = await lab.send('POST assignments', { ...assignmentTo, target: cy.toUpperCase() });
    await lab.expectRefusals('conflict', [['POST assignments', assignmentTo, '', 'already assigned']]);
    await lab.send(`PUT assignments/${alias}`, { ...assignmentTo, target: cy });
    const north = await lab.getId('accounts', 'north');
    await lab.send('PATCH principals/ann', { accounts: { [north]: null, south: 'read' } });
    assert.deepEqual((await lab.send('GET principals/ann')).accounts, { south: 'read' });
  });

  check('a map of levels may contain each entity only once', async (lab) => {
    const north = await lab.getId('accounts', 'north');
    const twice = { name: 'X', accounts: { north: 'read', [north]: 'manage' } };
    await lab.expectRefusals('invalid', [['PUT principals/new', twice, `/accounts/${north}`, 'another name for an entity']]);
  });

  check('loading a world resets kit time and rate windows, and returns the number of entities', async (lab: Lab) => {
    const { forgotten } = lab;
    const { version } = lab.world;
    await lab.world.advanceKitTime(3_600_000);
    const loaded = (await lab.send('PUT', labWorld)) as unknown as { world: string; entities: Record<string, number> };
    assert.deepEqual([loaded.world, loaded.entities.users, loaded.entities.experiences], ['lab', 3, 4]);
    assert.ok(lab.world.name === 'lab' && lab.world.version !== version && lab.context.clock.offset === 0);
    assert.deepEqual([await lab.send('GET'), lab.forgotten], [await lab.dump(), forgotten + 1]);
  });

  check('one request can create several entities that refer to each other', async (lab) => {
    const body = { users: { dee: { account: 'east', firstName: 'Dee' } }, accounts: { east: { name: 'East' } } };
    const created = (await lab.send('POST', body)) as unknown as Record<Collection, Record<string, Entity>>;
    assert.deepEqual(created.users.dee, await lab.send('GET users/dee'));
    assert.deepEqual(created.accounts.east, await lab.send('GET accounts/east'));
  });
}
