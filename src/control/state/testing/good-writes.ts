import assert from 'node:assert/strict';
import { compileWorld } from '../../../world/compile.ts';
import { findEntity } from '../../../world/dump.ts';
import type { Collection } from '../../../world/world.ts';
import type { Check, Lab } from './lab.ts';

interface Good {
  /** What is created. */
  readonly body: Readonly<Record<string, unknown>>;
  /** What a read then says beside that; an id is not compared. */
  readonly filled?: Readonly<Record<string, unknown>>;
  /** How it is replaced, and what a read then says. */
  readonly replaced: readonly [body: object, reads: object];
  /** How it is changed after its creation, and what a read then says. */
  readonly patched: readonly [patch: object, reads: object];
}

const OTHER_ID = '0f5ad5bc-63f2-4d6c-9d7e-2b7f1f0a5c11';
const NOON = '2026-03-01T12:00:00.000Z';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const JWK = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

const GOOD: { readonly [C in Collection]: Good } = {
  providers: { body: { name: 'New' }, replaced: [{ name: 'Newer' }, { name: 'Newer' }], patched: [{ name: 'Newest' }, { name: 'Newest' }] },
  experiences: {
    body: { provider: 'acme', name: 'New', levels: { rival: 'read', acme: 'none' } },
    filled: { type: 'GENERAL' },
    replaced: [
      { provider: 'acme', name: 'Newer' },
      { provider: 'acme', name: 'Newer', type: 'GENERAL' },
    ],
    patched: [{ levels: { acme: null, rival: 'manage' } }, { provider: 'acme', name: 'New', type: 'GENERAL', levels: { rival: 'manage' } }],
  },
  accounts: { body: { name: 'East' }, replaced: [{ name: 'West' }, { name: 'West' }], patched: [{ name: 'West' }, { name: 'West' }] },
  telephoneNumbers: {
    body: { account: 'south' },
    replaced: [{ account: 'south' }, { account: 'south' }],
    patched: [{}, { account: 'south' }],
  },
  users: {
    body: { account: 'south', firstName: 'Dee', nativeIds: [{ style: 'legacy-numeric', id: '7' }] },
    filled: { createdAt: NOON, updatedAt: null },
    replaced: [
      { account: 'south', lastName: 'Dee' },
      { account: 'south', lastName: 'Dee', createdAt: NOON, updatedAt: '2026-03-01T12:00:00.001Z' },
    ],
    patched: [
      { firstName: null, nativeIds: [{ style: 'base62', id: '7' }] },
      { account: 'south', createdAt: NOON, updatedAt: '2026-03-01T12:00:00.001Z', nativeIds: [{ style: 'base62', id: '7' }] },
    ],
  },
  principals: {
    body: { name: 'Dan', telephoneNumber: '+12065550107', accounts: { north: 'read' } },
    replaced: [
      { name: 'Dan', consent: 'declines', accounts: { south: 'read' } },
      { name: 'Dan', consent: 'declines', accounts: { south: 'read' } },
    ],
    patched: [
      { consent: 'declines', telephoneNumber: null, accounts: { south: 'manage' } },
      { name: 'Dan', consent: 'declines', accounts: { north: 'read', south: 'manage' } },
    ],
  },
  clients: {
    body: { provider: 'rival', name: 'App', secret: 'long enough' },
    replaced: [
      { provider: 'rival', name: 'App', publicKey: JWK },
      { provider: 'rival', name: 'App', publicKey: JWK },
    ],
    patched: [
      { secret: null, redirectUris: ['https://rival.example/'] },
      { provider: 'rival', name: 'App', redirectUris: ['https://rival.example/'] },
    ],
  },
  assignments: {
    body: { experience: 'lobby', targetType: 'USER', target: 'cy' },
    filled: { updatedAt: NOON },
    replaced: [
      { experience: 'lobby', targetType: 'USER', target: 'cy' },
      { experience: 'lobby', targetType: 'USER', target: 'cy', updatedAt: NOON },
    ],
    patched: [{}, { experience: 'lobby', targetType: 'USER', target: 'cy', updatedAt: NOON }],
  },
  connections: {
    body: { account: 'north', experience: 'lobby' },
    filled: { state: 'INACTIVE', updatedAt: NOON },
    replaced: [
      { account: 'north', experience: 'lobby', state: 'ACTIVE' },
      { account: 'north', experience: 'lobby', state: 'ACTIVE', updatedAt: '2026-03-01T12:00:00.001Z' },
    ],
    patched: [{ state: 'ACTIVE' }, { account: 'north', experience: 'lobby', state: 'ACTIVE', updatedAt: '2026-03-01T12:00:00.001Z' }],
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
    replaced: [
      { provider: 'acme', types: ['provisioning.user.deleted'], secret: SECRET },
      { provider: 'acme', types: ['provisioning.user.deleted'], secret: SECRET },
    ],
    patched: [
      { experience: null, destinationUrl: null, mode: null },
      { provider: 'acme', types: ['provisioning.user.created'], secret: SECRET },
    ],
  },
};

/** Creating, replacing, changing and deleting, for every collection. */
export function goodWrites(check: Check): void {
  for (const [name, good] of Object.entries(GOOD) as [Collection, Good][]) goodWritesOf(check, name, good);
}

function goodWritesOf(check: Check, collection: Collection, { body, filled, replaced, patched }: Good): void {
  const isNumber = collection === 'telephoneNumbers';
  const name = isNumber ? '+12065550109' : 'new-one';
  const without = ({ id: _, alias: __, ...rest }: Record<string, unknown>) => rest;
  const read = async (lab: Lab, which = name) => {
    const found = await lab.context.store.read((db) => findEntity(db, collection, which));
    return found && without({ ...found.entity });
  };

  check(`${collection}: an entity that is created can be read, by alias and by id`, async (lab) => {
    const { alias, id, ...created } = (await lab.create(collection, { alias: name, ...body })) as Record<string, unknown>;
    assert.equal(alias, name);
    assert.deepEqual(created, { ...body, ...filled });
    assert.deepEqual(await read(lab), created);
    if (!isNumber) assert.deepEqual(await read(lab, String(id).toUpperCase()), created);
  });

  check(`${collection}: PUT creates under the alias, and replaces`, async (lab) => {
    const { id, ...created } = (await lab.put(collection, name, body)) as Record<string, unknown>;
    assert.deepEqual(without(created), { ...body, ...filled });
    const [next, reads] = replaced;
    const after = (await lab.put(collection, name, next)) as Record<string, unknown>;
    assert.deepEqual([after.id, without(after)], [id, reads]);
    assert.deepEqual(await read(lab), reads);
  });

  check(`${collection}: PATCH changes what it names, and null removes`, async (lab) => {
    const { id } = (await lab.put(collection, name, body)) as Record<string, unknown>;
    const [patch, reads] = patched;
    const after = (await lab.patch(collection, name, patch)) as Record<string, unknown>;
    assert.deepEqual([after.id, without(after)], [id, reads]);
    assert.deepEqual(await read(lab), reads);
  });

  check(`${collection}: what is deleted is gone, and its name is free`, async (lab) => {
    await lab.put(collection, name, body);
    await lab.remove(collection, name);
    assert.equal(await read(lab), undefined);
    await lab.refuses(() => lab.remove(collection, name), 'not-found', /There is no/);
    await lab.put(collection, name, body);
  });

  check(`${collection}: a world with what was written loads as it is`, async (lab) => {
    await lab.put(collection, name, body);
    assert.deepEqual(compileWorld(await lab.dump()).problems, undefined);
  });

  if (collection === 'assignments' || collection === 'connections' || isNumber) return;
  check(`${collection}: an id can be chosen, in the body or as the name`, async (lab) => {
    const chosen = (await lab.create(collection, { ...body, id: OTHER_ID })) as Record<string, unknown>;
    assert.deepEqual([chosen.alias, chosen.id], [OTHER_ID, OTHER_ID]);
    await lab.remove(collection, OTHER_ID);
    const put = (await lab.put(collection, OTHER_ID.toUpperCase(), { ...body, alias: name })) as Record<string, unknown>;
    assert.deepEqual([put.alias, put.id], [name, OTHER_ID]);
  });
}
