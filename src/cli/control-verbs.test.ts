import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, beforeEach, mock, test } from 'node:test';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { createKit, type Kit } from '../kit.ts';
import { clockCommand } from './clock.ts';
import { faultCommand } from './fault.ts';
import { resetCommand } from './reset.ts';
import { snapshotCommand } from './snapshot.ts';
import { stateCommand } from './state.ts';

const VERBS: Record<string, () => Command> = {
  reset: resetCommand,
  snapshot: snapshotCommand,
  clock: clockCommand,
  state: stateCommand,
  fault: faultCommand,
};
const TOKEN = 'canary-canary-canary';
let kit: Kit;

before(async () => {
  kit = await createKit({ port: 0, controlToken: TOKEN });
});
after(() => kit.close());
beforeEach(() => xpk('reset'));

/** What a command prints. */
async function xpk(line: string, ...rest: string[]): Promise<string> {
  const [verb = '', ...args] = line.split(' ');
  const printed: string[] = [];
  const log = mock.method(console, 'log', (text: string) => printed.push(text));
  try {
    await VERBS[verb]!().parseAsync([...args, ...rest, '--url', kit.url, '--control-token', TOKEN], { from: 'user' });
  } finally {
    log.mock.restore();
  }
  return printed.join('\n');
}
const json = async (line: string, ...rest: string[]) => JSON.parse(await xpk(line, ...rest, '--json'));

test('xpk reset goes back to the world of the start, or to an empty one', async () => {
  assert.equal(await xpk('reset empty'), 'The world is empty again: nothing in it.');
  assert.match(await xpk('reset'), /^The world is demo again: 2 providers, 5 experiences, .*\d+ telephone numbers/);
  assert.equal((await json('reset seed')).entities.providers, 2);
});

test('xpk snapshot saves a state, lists it, loads it and forgets it', async () => {
  assert.equal(await xpk('snapshot list'), 'There are no snapshots. Save one with: xpk snapshot save NAME');
  await xpk('clock advance 1h');
  const saved = await xpk('state get');
  assert.match(await xpk('snapshot save with-hedy'), /^Saved with-hedy, of the world demo: 2 providers/);
  await xpk('reset empty');
  assert.match(await xpk('snapshot list'), /^with-hedy {2}\d{4}-\S+Z {2}demo: 2 providers/);
  assert.deepEqual(Object.keys((await json('snapshot list'))[0]), ['name', 'savedAt', 'world', 'entities']);
  assert.match(await xpk('snapshot load with-hedy'), /^The world is demo again/);
  assert.equal(await xpk('state get'), saved);
  assert.equal((await json('clock')).offsetMs, 3_600_000);
  assert.equal((await json('reset with-hedy')).world, 'demo');
  await assert.rejects(xpk('reset with-hed'), /no snapshot "with-hed"\. Did you mean "with-hedy"\? There is: with-hedy/);
  assert.equal(await xpk('snapshot delete with-hedy'), 'Deleted the snapshot with-hedy.');
  await assert.rejects(xpk('snapshot delete with-hedy'), /no snapshot "with-hedy"\. There are: none/);
});

test('a name that no snapshot may have is refused with those that it may', async () => {
  for (const name of ['seed', 'empty', 'Upper', 'a/b', 'x'.repeat(64)]) {
    await assert.rejects(xpk('snapshot save', name), /The name of a snapshot must be 1 to 63 lower-case letters/);
  }
  await assert.rejects(xpk('reset No_Name'), /to must be seed, empty, or the name of a snapshot/);
});

test('xpk clock shows kit time and moves it forward', async () => {
  assert.match(await xpk('clock'), /Z, as on the wall$/);
  assert.match(await xpk('clock advance 1d2h30m'), /Z, 1d2h30m ahead of the wall$/);
  assert.equal((await json('clock show')).offsetMs, 95_400_000);
  await assert.rejects(xpk('clock advance soon'), /must be a duration such as 1h30m/);
});

test('xpk state reads the world, a collection and an entity', async () => {
  assert.deepEqual(parse(await xpk('state get')), await json('state get'));
  assert.ok('northwind' in parse(await xpk('state get accounts')));
  assert.match(await xpk('state get accounts northwind'), /^alias: northwind\nid: /);
  await assert.rejects(xpk('state get acounts'), /no collection "acounts".*Did you mean "accounts"/);
  await assert.rejects(xpk('state get accounts nortwind'), /Did you mean "northwind"/);
});

test('xpk state changes an entity and creates one', async () => {
  const added = await json('state add users alias=hedy account=northwind firstName=Hedy');
  assert.deepEqual([added.alias, added.firstName], ['hedy', 'Hedy']);
  assert.match(await xpk('state set users hedy', 'lastName=Lamarr Kiesler', 'firstName=null'), /^lastName: Lamarr Kiesler$/m);
  assert.equal('firstName' in (await json('state get users hedy')), false);
  const changed = await json('state set users hedy --as portal --json-body', '{"firstName":"H."}');
  assert.equal(changed.firstName, 'H.');
  await assert.rejects(xpk('state set users hedy'), /at least one member/);
  await assert.rejects(xpk('state set users hedy lastNam=x'), /lastNam/);
});

test('xpk fault adds faults, lists them and takes them away', async () => {
  const added = await xpk('fault add --operation getUser --fault problem --status 503 --times 2 --after 1');
  assert.match(added, /^fault-\d+ {2}getUser {2}problem 503 {2}after 1, 2 times {2}hit 0 so far$/);
  const { id } = await json('fault add --fault latency --latency 5');
  assert.match(await xpk('fault list'), /getUser +problem 503 +after 1, 2 times.*\nfault-\d+ {2}every operation {2}latency 5 ms/);
  assert.equal(await xpk('fault clear', id), `Removed ${id}.`);
  assert.equal((await json('fault list')).length, 1);
  for (const [flags, where] of [
    ['problem --status 404', / {2}every operation that documents 404 {2}/],
    ['response --status 204', / {2}every operation that documents 204 {2}/],
    ['authorization-service-down', / {2}every operation that documents 503 {2}/],
    ['problem --status 404 --undocumented', / {2}every operation {2}/],
  ] as const)
    assert.match(await xpk(`fault add --fault ${flags}`), where);
  await assert.rejects(xpk('fault clear fault-0'), /no fault of this id/);
  await assert.rejects(xpk('fault add --fault problem'), /needs --status/);
  await assert.rejects(xpk('fault add --fault problem --status 500 --operation getUsr'), /Did you mean "getUser"/);
  await assert.rejects(xpk('fault add --fault latency --latency 9-5'), /A range of --latency begins with its lower end/);
  await assert.rejects(xpk('fault add --fault problem --status 404 --seed 1'), /--seed has no effect without --probability/);
  await assert.rejects(xpk('fault add --fault problem --status 418 --operation getUser'), /To inject it anyway, give --undocumented\./);
  await xpk('fault clear');
  assert.equal(await xpk('fault list'), 'There are no faults.');
});

test('xpk fault add limits a fault to parameters and a probability, and gives a range of latency or a response', async () => {
  const slow = await json('fault add --fault latency --latency 1-9 --probability .5 --seed 4 --match userId=1=2');
  const { latencyMs, latencyMaxMs, probability, seed, match } = slow;
  assert.deepEqual([latencyMs, latencyMaxMs, probability, seed, match], [1, 9, 0.5, 4, { userId: '1=2' }]);
  const response = 'fault add --fault response --status 502 --undocumented --header content-type:text/html --header X-A:b --body';
  const { headers, body } = await json(response, '<h1>Bad gateway</h1>');
  assert.deepEqual([headers, body], [{ 'content-type': 'text/html', 'X-A': 'b' }, '<h1>Bad gateway</h1>']);
  assert.deepEqual((await json(response, '{"a":1}')).body, { a: 1 });
  assert.match(await xpk('fault list'), /every operation userId=1=2 +latency 1-9 ms +probability 0\.5, seed 4, every time/);
  await xpk('fault clear');
});

test('the commands are there, and say what is wrong with an option', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, ['src/cli/main.ts', ...args], { encoding: 'utf8' });
  const help = run('--help').stdout;
  for (const verb of Object.keys(VERBS)) assert.match(help, new RegExp(`^  ${verb}\\b`, 'm'));
  const { status, stderr } = run('fault', 'add', '--fault', 'problem', '--times', '0');
  assert.equal(status, 2);
  assert.match(stderr, /whole number from 1 to 999999999/);
  const { XPK_URL: _, ...env } = process.env;
  const unreachable = spawnSync(process.execPath, ['src/cli/main.ts', 'clock'], {
    encoding: 'utf8',
    env: { ...env, XPK_URL: 'http://127.0.0.1:1' },
  });
  assert.match(unreachable.stderr, /No kit answers at http:\/\/127\.0\.0\.1:1/);
});

test('a name that is empty, as of a variable that was not set, means nothing, not everything', async () => {
  await xpk('fault add --fault latency --latency 5');
  for (const line of ['fault clear', 'snapshot delete', 'state get users'])
    await assert.rejects(xpk(line, ''), /is empty; is it a variable of the shell that was not set\?/);
  assert.equal((await json('fault list')).length, 1);
  await xpk('fault clear');
});

test('a name that is a step in a path is refused, and the control API is not said to be off', async () => {
  for (const line of ['fault clear ..', 'snapshot delete .', 'state get ..'])
    await assert.rejects(xpk(line), /^UsageError: Nothing can be asked by the name \.\.?: give its id\.$/);
});
