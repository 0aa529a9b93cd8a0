import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKit, type KitResponse } from '../kit.ts';
import type { WorldExtension } from './extend.ts';

test('the `extend` setting adds and changes entities in a world, also after a reset to the seed', async () => {
  const extend: WorldExtension = {
    users: { zoe: { account: 'northwind', firstName: 'Zoe' }, ada: { firstName: 'Augusta' } },
    principals: { reader: { accounts: { northwind: 'manage' } } },
    tokens: { mine: { client: 'acme-web', principal: 'reader' } },
  };
  await using plain = await createKit({ port: 0 });
  await using kit = await createKit({ port: 0, extend });
  for (const to of ['none', 'seed']) {
    if (to === 'seed') await kit.control.POST('/_control/reset', { body: { to } });
    const headers = { authorization: `Bearer ${(await kit.tokens()).mine}` };
    const read = async (alias: string) => {
      const response = await fetch(`${kit.url}/users/${await kit.id('users', alias)}`, { headers });
      return (await response.json()) as KitResponse<'getUser'>;
    };
    assert.equal((await read('zoe')).firstName, 'Zoe');
    const { firstName, lastName } = await read('ada');
    assert.deepEqual([firstName, lastName], ['Augusta', 'Lovelace']);
  }
  assert.equal(await kit.id('users', 'ada'), await plain.id('users', 'ada'));
  assert.equal((await kit.tokens()).full, (await plain.tokens()).full);
});

test("the `extend` setting also changes a scenario's world and a world object", async () => {
  const extend: WorldExtension = { accounts: { wingtip: { name: 'Wingtip Toys' } } };
  for (const settings of [{ scenario: 'authorization-down' }, { fixtures: { world: 'mine', accounts: { own: { name: 'Own' } } } }]) {
    await using kit = await createKit({ port: 0, ...settings, extend });
    assert.match(await kit.id('accounts', 'wingtip'), /^[0-9a-f-]{36}$/);
  }
});

test('the error for an invalid `extend` setting contains the location of the problem and a correction', async () => {
  const startKit = (extend: object) => createKit({ port: 0, extend });
  await assert.rejects(startKit({ users: { zoe: { account: 'nothwind' } } }), {
    name: 'FixtureError',
    message: /demo\/users\/zoe\/account: .*Did you mean "northwind"\?/,
  });
  await assert.rejects(startKit({ usrs: {} }), /demo\/usrs: .*Did you mean "users"\?/);
  await assert.rejects(startKit({ users: 7 }), /demo\/users: /);
  await assert.rejects(createKit({ extend: [] as never }), {
    name: 'SettingsError',
    message: /"extend" must be an object, not a list/,
  });
});
