import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
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
beforeEach(() => xpk('reset'));

test('xpk reset restores the world that the kit was started with, or an empty world', async () => {
  assert.equal(await xpk('reset empty'), 'The world is now empty: no entities.');
  assert.match(await xpk('reset'), /^The world is now demo: 2 providers, 5 experiences, .*\d+ telephone numbers/);
  assert.equal((await json('reset seed')).entities.providers, 2);
});

test('xpk snapshot saves, lists, loads and deletes snapshots', async () => {
  assert.equal(await xpk('snapshot list'), 'There are no snapshots. Save one with: xpk snapshot save NAME');
  await xpk('clock advance 1h');
  const saved = await xpk('state get');
  assert.match(await xpk('snapshot save with-hedy'), /^Saved with-hedy, a snapshot of the world demo: 2 providers/);
  await xpk('reset empty');
  assert.match(await xpk('snapshot list'), /^with-hedy {2}\d{4}-\S+Z {2}demo: 2 providers/);
  assert.deepEqual(Object.keys((await json('snapshot list'))[0]), ['name', 'savedAt', 'world', 'entities']);
  assert.match(await xpk('snapshot load with-hedy'), /^The world is now demo/);
  assert.equal(await xpk('state get'), saved);
  assert.equal((await json('clock')).offsetMs, 3_600_000);
  assert.equal((await json('reset with-hedy')).world, 'demo');
  await assert.rejects(xpk('reset with-hed'), /no snapshot "with-hed"\. Did you mean "with-hedy"\?/);
  assert.equal(await xpk('snapshot delete with-hedy'), 'Deleted the snapshot with-hedy.');
  await assert.rejects(xpk('snapshot delete with-hedy'), /no snapshot "with-hedy"/);
});

test('xpk clock shows kit time and moves it forward', async () => {
  assert.match(await xpk('clock'), /Z, the same as wall time$/);
  assert.match(await xpk('clock advance 1d2h30m'), /Z, 1d2h30m ahead of wall time$/);
  assert.equal((await json('clock show')).offsetMs, 95_400_000);
});

test('xpk state get prints the world, a collection or an entity', async () => {
  assert.deepEqual(parse(await xpk('state get')), await json('state get'));
  assert.ok('northwind' in parse(await xpk('state get accounts')));
  assert.match(await xpk('state get accounts northwind'), /^alias: northwind\nid: /);
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

test('xpk fault adds, lists and removes faults', async () => {
  const added = await xpk('fault add --operation getUser --fault problem --status 503 --times 2 --after 1');
  assert.match(added, /^fault-\d+ {2}getUser {2}problem 503 {2}after 1, 2 times {2}0 hits so far$/);
  const { id } = await json('fault add --fault latency --latency 5');
  assert.match(await xpk('fault list'), /getUser +problem 503 +after 1, 2 times.*\nfault-\d+ {2}every operation {2}latency 5 ms/);
  assert.equal(await xpk('fault clear', id), `Removed ${id}.`);
  assert.equal((await json('fault list')).length, 1);
  for (const [flags, operations] of [
    ['problem --status 404', / {2}every operation that documents 404 {2}/],
    ['response --status 204', / {2}every operation that documents 204 {2}/],
    ['authorization-service-down', / {2}every operation that documents 503 {2}/],
    ['problem --status 404 --undocumented', / {2}every operation {2}/],
  ] as const)
    assert.match(await xpk(`fault add --fault ${flags}`), operations);
  await xpk('fault clear');
  assert.equal(await xpk('fault list'), 'There are no faults.');
});

test('xpk fault add accepts a probability, a range of latencies, parameters to match, and a whole response', async () => {
  const slow = await json('fault add --fault latency --latency 1-9 --probability .5 --seed 4 --match userId=1=2');
  const { latencyMs, latencyMaxMs, probability, seed, match } = slow;
  assert.deepEqual([latencyMs, latencyMaxMs, probability, seed, match], [1, 9, 0.5, 4, { userId: '1=2' }]);
  const response = 'fault add --fault response --status 502 --undocumented --header content-type:text/html --header X-A:b --body';
  const { headers, body } = await json(response, '<h1>Bad gateway</h1>');
  assert.deepEqual([headers, body], [{ 'content-type': 'text/html', 'X-A': 'b' }, '<h1>Bad gateway</h1>']);
  assert.deepEqual((await json(response, '{"a":1}')).body, { a: 1 });
  assert.match(await xpk('fault list'), /every operation userId=1=2 +latency 1-9 ms +probability 0\.5, seed 4, every time/);
});
