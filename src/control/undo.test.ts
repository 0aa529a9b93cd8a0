import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIds } from '../clock/ids.ts';
import type { components } from '../contract/generated/control.ts';
import { createKit, type Kit, type KitSettings } from '../kit.ts';
import { prepareUndo } from '../service/undo.ts';
import { createDatabase } from '../store/testing/postgres.ts';

type Schemas = components['schemas'];
type Refusal = Schemas['Problem'];

async function startKit(settings: KitSettings = {}) {
  const kit: Kit = await createKit({ port: 0, ...settings });
  const headers = { 'content-type': 'application/json', 'xpk-undoable': 'true' };
  async function control<Body>(method: string, path: string, body?: object): Promise<Body> {
    const response = await fetch(`${kit.url}/_control${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    return (text === '' ? undefined : JSON.parse(text)) as Body;
  }
  return {
    kit,
    control,
    undo: () => control<Schemas['Undone'] & Refusal>('POST', '/undo'),
    readState: () => control<object>('GET', '/state'),
    [Symbol.asyncDispose]: () => kit.close(),
  };
}
type Lab = Awaited<ReturnType<typeof startKit>>;

const CHANGES: Readonly<Record<string, (lab: Lab) => Promise<unknown>>> = {
  'POST /_control/state/users': ({ control }) => control('POST', '/state/users', { alias: 'hedy', account: 'northwind' }),
  'PATCH /_control/state/users/ada': ({ control }) => control('PATCH', '/state/users/ada', { firstName: 'Augusta' }),
  'DELETE /_control/state/users/ada': ({ control }) => control('DELETE', '/state/users/ada'),
  'PATCH /_control/state/connections/northwind-reception?as=platform': ({ control }) =>
    control('PATCH', '/state/connections/northwind-reception?as=platform', { state: 'ACTIVE' }),
  'DELETE /_control/state/accounts/northwind': ({ control }) => control('DELETE', '/state/accounts/northwind'),
  'POST /_control/events/provisioning.user.created': ({ control }) => control('POST', '/events/provisioning.user.created'),
  'POST /_control/reset': ({ control }) => control('POST', '/reset', { to: 'empty' }),
};

/** What the list says about these changes. Ids are replaced by `…`. */
const TEXTS = [
  'The user hedy was created by the platform.',
  'The user Augusta Lovelace was changed by the platform.',
  'The user Augusta Lovelace was deleted by the platform, with 1 more change.',
  'The connection Northwind Traders – Acme Reception was set to ACTIVE by the platform.',
  'The account Northwind Traders was deleted by the platform, with 10 more changes.',
  'The user … was created by the platform, with 1 more change.',
  'The world was emptied.',
];

for (const engine of ['sqlite', 'postgres'] as const)
  test(`${engine}: changes of every kind can be undone, one after the other`, async () => {
    await using lab = await startKit(engine === 'postgres' ? { database: await createDatabase() } : {});
    const states: object[] = [];
    for (const change of Object.values(CHANGES)) {
      states.push(await lab.readState());
      await change(lab);
    }
    const expected = Object.keys(CHANGES).toReversed();
    const listed = await lab.control<Schemas['Undoable'][]>('GET', '/undo');
    assert.deepEqual(
      listed.map(({ request }) => request),
      expected,
    );
    assert.deepEqual(
      listed.map(({ text }) => text.replace(/[0-9a-f-]{36}/, '…')),
      TEXTS.toReversed(),
    );
    const changesOf = (request: string) => listed.find((each) => each.request.startsWith(request))?.changes ?? [];
    assert.deepEqual(changesOf('PATCH /_control/state/users')[0]?.difference?.firstName, { before: 'Ada', after: 'Augusta' });
    const [activated] = changesOf('PATCH /_control/state/connections');
    assert.deepEqual(activated?.difference, { state: { before: 'INACTIVE', after: 'ACTIVE' } });
    const deleted = changesOf('DELETE /_control/state/accounts').map(({ collection, name, action }) => `${collection} ${name} ${action}`);
    assert.ok(deleted.includes('connections Northwind Traders – Acme Reception deleted'), String(deleted));
    for (const request of expected) {
      const { undone, detail } = await lab.undo();
      assert.equal(undone?.request, request, detail);
      assert.deepEqual(await lab.readState(), states.pop());
    }
    assert.match((await lab.undo()).detail ?? '', /^There is no change to undo\./);
    assert.deepEqual(await lab.control('GET', '/snapshots'), []);
  });

const OBSTACLES: Readonly<Record<string, readonly [RegExp, (lab: Lab) => Promise<unknown>]>> = {
  'an API request changed the world': [
    /^PATCH \/_control\/state\/users\/ada cannot be undone: this would also undo a later change, experience\.connection\.deactivated of /,
    async ({ kit }) => {
      const id = await kit.id('connections', 'northwind-concierge');
      const headers = { authorization: `Bearer ${await kit.mint()}`, 'content-type': 'application/json' };
      const response = await fetch(`${kit.url}/experience/connections/${id}`, { method: 'PUT', headers, body: '{"state":"INACTIVE"}' });
      assert.equal(response.status, 200);
    },
  ],
  'a client that keeps no changes changed an entity': [
    /: this would also undo a later change: the platform changed hedy \(users\) at /,
    ({ kit }) => kit.state.set('users', 'hedy', { firstName: 'Hedy' }),
  ],
  'the clock was advanced': [/: the clock was advanced since\.$/, ({ kit }) => kit.clock.advance('1h')],
  'another world was loaded': [
    /: another world was loaded since\.$/,
    ({ kit }) => kit.control.POST('/_control/reset', { body: { to: 'seed' } }),
  ],
};
for (const [title, [message, disturb]] of Object.entries(OBSTACLES)) {
  test(`a change cannot be undone if ${title} since, and the refusal says so`, async () => {
    await using lab = await startKit({ extend: { users: { hedy: { account: 'northwind' } } } });
    await CHANGES['PATCH /_control/state/users/ada']!(lab);
    await disturb(lab);
    const before = await lab.readState();
    const { status, detail } = await lab.undo();
    assert.equal(status, 409);
    assert.match(detail ?? '', message);
    assert.deepEqual(await lab.readState(), before);
  });
}

test('a change cannot be undone if the copy before it lacks another change', async () => {
  await using lab = await startKit();
  const { store } = lab.kit;
  const ids = createIds();
  const prepare = (request: string) =>
    prepareUndo({ store, ids }, { at: '2026-01-01T00:00:00.000Z', request }, async () => ({ text: request, changes: [] }));
  const keep = [await prepare('first'), await prepare('second')];
  for (const [index, firstName] of ['Augusta', 'Byron'].entries()) {
    await lab.kit.state.set('users', 'ada', { firstName });
    await keep[index]!();
  }
  assert.equal((await lab.undo()).detail, 'second cannot be undone: this would also undo first, which was made at the same time.');
});

test('a response names its change, and only the newest change can be undone by its id', async () => {
  await using lab = await startKit();
  const change = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json', 'xpk-undoable': 'true' };
    const response = await fetch(`${lab.kit.url}/_control${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return response.headers.get('xpk-change');
  };
  const undo = (id: string | null) => lab.control<Schemas['Undone'] & Refusal>('POST', `/undo?change=${id}`);
  const first = await change('PATCH', '/state/users/ada', { firstName: 'Augusta' });
  const second = await change('POST', '/reset', { to: 'empty' });
  assert.equal(await change('GET', '/state/users'), null);
  const later = 'PATCH /_control/state/users/ada cannot be undone before a later change, POST /_control/reset. Undo that first.';
  assert.equal((await undo(first)).detail, later);
  assert.equal((await undo('unknown')).detail, 'This change was undone already, or is older than the changes that the kit keeps.');
  const [reset, patch] = await lab.control<Schemas['Undoable'][]>('GET', '/undo');
  assert.deepEqual([reset?.id, reset?.isLoad, patch?.id, patch?.isLoad], [second, true, first, false]);
  const [{ id: recorded } = { id: '' }] = await lab.control<{ id: string }[]>('GET', '/changes?entity=ada');
  assert.equal((await undo(second)).undone.id, second);
  const [written = { id: '' }] = await lab.control<{ id: string }[]>('GET', '/changes?entity=ada');
  assert.equal(recorded, '', 'the reset removed the change from the history');
  assert.ok(patch && written.id > patch.before.change && written.id <= patch.after.change);
  assert.equal((await undo(first)).undone.id, first);
  assert.match((await undo(first)).detail ?? '', /^This change was undone already/);
});

test('undoing a reset keeps the journal since the reset', async () => {
  await using lab = await startKit();
  await lab.control('POST', '/reset', { to: 'empty' });
  await fetch(`${lab.kit.url}/users/since-the-reset`);
  await lab.undo();
  const journal = await lab.control<{ path: string }[]>('GET', '/requests');
  assert.deepEqual(
    journal.map(({ path }) => path),
    ['/users/since-the-reset'],
  );
});

test('an undo keeps logins, faults and the journal', async () => {
  await using lab = await startKit();
  const { kit, control } = lab;
  await CHANGES['PATCH /_control/state/users/ada']!(lab);
  const { refreshToken } = await kit.login();
  await control('POST', '/faults', { fault: 'latency', latencyMs: 1 });
  assert.equal((await lab.undo()).undone.request, 'PATCH /_control/state/users/ada');
  assert.equal((await control<object[]>('GET', '/faults')).length, 1);
  assert.ok((await control<object[]>('GET', '/requests')).length > 0);
  const { id: client_id, secret: client_secret = '' } = await kit.state.get('clients', 'acme-web');
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken!, client_id, client_secret });
  assert.equal((await fetch(`${kit.authUrl}/oauth/token`, { method: 'POST', body })).status, 200);
});

test('a request that fails, that changes nothing, or without the header leaves nothing to undo', async () => {
  await using lab = await startKit();
  await lab.control('DELETE', '/state/users/nobody');
  await lab.control('PATCH', '/state/users/ada', { firstName: 'Ada' });
  await lab.kit.state.set('users', 'ada', { firstName: 'Augusta' });
  assert.deepEqual(await lab.control('GET', '/undo'), []);
});
