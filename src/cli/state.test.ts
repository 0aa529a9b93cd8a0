import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { createKit, type Kit } from '../kit.ts';
import { createXpk } from './testing/run.ts';

const CONTROL_TOKEN = 'canary-canary-canary';
let kit: Kit;
const { xpk, json } = createXpk(() => ['--url', kit.url, '--control-token', CONTROL_TOKEN]);

before(async () => {
  kit = await createKit({ port: 0, controlToken: CONTROL_TOKEN });
});
after(() => kit.close());

test('xpk state get prints the world, a collection or an entity', async () => {
  assert.deepEqual(parse(await xpk('state get')), await json('state get'));
  assert.ok('northwind' in parse(await xpk('state get accounts')));
  assert.match(await xpk('state get accounts northwind'), /^alias: northwind\nid: /);
});

test('xpk undo undoes the changes of xpk, and says which', async () => {
  await xpk('state add users alias=grete account=northwind');
  await xpk('state set users grete firstName=Grete');
  await xpk('state delete users grete');
  assert.match(await xpk('undo list'), /^TIME +CHANGE\n\S+ +DELETE \/_control\/state\/users\/grete\n/);
  assert.match(await xpk('undo'), /^Undid DELETE \/_control\/state\/users\/grete\. The world is now demo: /);
  assert.match(await xpk('undo'), /^Undid PATCH \/_control\/state\/users\/grete\./);
  assert.equal('firstName' in (await json('state get users grete')), false);
  assert.equal((await json('undo')).undone.request, 'POST /_control/state/users');
  await assert.rejects(xpk('undo'), /^Error: \[1\] .*There is no change to undo\./);
});

test("xpk state add creates an entity, and xpk state set changes an entity's members", async () => {
  const added = await json('state add users alias=hedy account=northwind firstName=Hedy');
  assert.deepEqual([added.alias, added.firstName], ['hedy', 'Hedy']);
  assert.match(await xpk('state set users hedy', 'lastName=Lamarr Kiesler', 'firstName=null'), /^lastName: Lamarr Kiesler$/m);
  assert.equal('firstName' in (await json('state get users hedy')), false);
  const changed = await json('state set users hedy --as portal --json-body', '{"firstName":"H."}');
  assert.equal(changed.firstName, 'H.');
  const before = (await json('state get clients acme-web')).redirectUris;
  const { redirectUris } = await json('state set clients acme-web redirectUris+=http://127.0.0.1:9000/callback');
  assert.deepEqual(redirectUris, [...before, 'http://127.0.0.1:9000/callback']);
});
