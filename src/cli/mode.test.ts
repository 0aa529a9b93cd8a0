import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { deliveriesCommand } from './deliveries.ts';
import { modeCommand } from './mode.ts';
import { releaseCommand } from './release.ts';
import { resetCommand } from './reset.ts';
import { stateCommand } from './state.ts';
import { subscribeCommand } from './subscribe.ts';
import { subscriptionsCommand } from './subscriptions.ts';
import { verbsAt } from './testing/printed.ts';
import { toldKit } from './testing/told-kit.ts';
import { waitCommand } from './wait.ts';

const told = toldKit();
const { xpk, json } = verbsAt(() => told.kit, {
  mode: modeCommand,
  release: releaseCommand,
  subscribe: subscribeCommand,
  subscriptions: subscriptionsCommand,
  deliveries: deliveriesCommand,
  wait: waitCommand,
  reset: resetCommand,
  state: stateCommand,
});

beforeEach(async () => {
  told.receiver.answerWith(204);
  await xpk('reset');
  await xpk(`subscribe ${told.receiver.url} --alias mine`);
});

/** Makes an event for each account. @returns the connections, the oldest first */
async function happen(...accounts: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const account of accounts) ids.push((await json(`state add connections account=${account} experience=desk`)).id);
  return ids;
}
const since = (begun: number) =>
  told.receiver.received.slice(begun).map(({ event }) => (event.data as { connectionId: string }).connectionId);

test('xpk mode shows that there is none, sets one whole, and shows it', async () => {
  assert.equal(await xpk('mode mine'), 'mine has no delivery mode.\nNothing is held.');
  const set = await xpk('mode mine --duplicate 1 --drop-acknowledgement 2');
  assert.match(set, /^Deliveries to mine go wrong on purpose:\n {2}duplicate 1 +each delivery is sent once more at once/);
  assert.match(set, /\n {2}drop-acknowledgement 2 {2}the first 2 acknowledgements of each delivery are taken for lost\n/);
  assert.match(set, /\nThis replaces the previous mode\. Off: reorder, delay, hold\.\nNothing is held\.$/);
  await xpk('mode mine --duplicate 2 --reorder 1m30s --delay 250ms');
  assert.deepEqual((await json('mode mine')).mode, { duplicate: 2, reorder: { window: 90_000 }, delay: 250 });
  const shown = await xpk('mode mine');
  assert.match(shown, / {2}duplicate 2 .*2 more times.*\n {2}reorder 1m30s .*\n {2}seed 0 .*\n {2}delay 250ms .*\nNothing is held\.$/);
});

test('xpk mode takes any seed of the contract, and --none ends the mode', async () => {
  const { mode } = await json(`mode mine --reorder 10s --seed ${Number.MAX_SAFE_INTEGER}`);
  assert.deepEqual(mode, { reorder: { window: 10_000 }, seed: Number.MAX_SAFE_INTEGER });
  const { subscriptionId, ...ended } = await json('mode mine --none');
  assert.deepEqual(ended, { mode: null, held: 0 });
  assert.equal((await json(`mode ${subscriptionId}`)).subscriptionId, subscriptionId);
});

test('a mode that xpk mode sets has its effect', async () => {
  const begun = told.receiver.received.length;
  await xpk('mode mine --duplicate 2');
  const [id] = await happen('north');
  await told.receiver.atLeast(begun + 3);
  await json('wait');
  assert.deepEqual(since(begun), [id, id, id]);
});

test('xpk release sends what is held in the order asked for, and says what came of it and what is still held', async () => {
  const begun = told.receiver.received.length;
  await xpk('mode mine --hold');
  const [first, second] = await happen('north', 'south');
  assert.match(await xpk('mode mine'), /\n2 deliveries are held; send what is held with: xpk release mine$/);
  const one = await xpk('release mine --order newest-first --count 1');
  assert.match(
    one,
    /^TIME +STATE.*\n\S+Z +acknowledged +1 +experience\.connection\.created +mine +- +\S+\nReleased 1\. 1 delivery is still held\.$/,
  );
  assert.match(await xpk('mode mine --none'), /has no delivery mode\.\n1 delivery is held; send/);
  assert.match(await xpk('release mine'), /\nReleased 1\. Nothing is held any more\.$/);
  assert.deepEqual(since(begun), [second, first]);
  assert.equal(await xpk('release mine'), 'Nothing is held for mine. Hold what is to come with: xpk mode mine --hold');
});

test('xpk release sends the deliveries that are named, in this order', async () => {
  const begun = told.receiver.received.length;
  await xpk('mode mine --hold');
  const connections = await happen('north', 'south');
  const held: string[] = (await json('deliveries --state held')).map(({ id }: { id: string }) => id);
  assert.deepEqual(await json(`release mine ${held.join(' ')}`), { released: held, held: 0 });
  assert.deepEqual(since(begun), connections.toReversed());
});

test('what the time is not enough for stays held, and xpk release says so', async () => {
  await xpk('mode mine --hold');
  await happen('north', 'south');
  let answer = () => {};
  told.receiver.answerWith((response) => {
    answer = () => void response.writeHead(204).end();
  });
  const begun = told.receiver.received.length;
  assert.match(await xpk('release mine --max-wait 100ms'), /Z +pending +0 .*\nReleased 1\. 1 delivery is still held\.$/);
  await told.receiver.atLeast(begun + 1);
  answer();
});

test('xpk subscriptions tells how many deliveries are in which state, and the mode', async () => {
  assert.match(await xpk('subscriptions'), /^mine {2}acme {2}every Experience {2}http:\S+\/hook {2}all types {2}no deliveries$/);
  await happen('north');
  await json('wait');
  await xpk('mode mine --hold --duplicate 1');
  await happen('south');
  assert.match(await xpk('subscriptions'), /all types {2}1 acknowledged, 1 held {2}duplicate 1, hold$/);
  const { mine } = await json('subscriptions');
  assert.deepEqual([mine.provider, mine.deliveryMode], ['acme', { hold: true, duplicate: 1 }]);
  assert.deepEqual(mine.deliveries, { acknowledged: 1, held: 1, pending: 0, exhausted: 0 });
});

const refused: [string, RegExp][] = [
  ['mode min', /no subscription "min"\. Did you mean "mine"/],
  ['mode min --hold', /Did you mean "mine"/],
  ['mode min --none', /Did you mean "mine"/],
  ['mode mine --none --hold', /Give --none.*not both/],
  ['mode mine --duplicate -1', /whole number from 1 to 10/],
  ['mode mine --drop-acknowledgement 11', /whole number from 1 to 10/],
  ['mode mine --delay soon', /A duration is a number and a unit/],
  ['mode mine --delay 5000', /such as 1h30m, not 5000/],
  ['mode mine --delay 0s', /1ms at least/],
  ['mode mine --reorder 366d', /365d at most/],
  ['mode mine --reorder 5s --seed -7', /whole number from 0 to/],
  ['mode mine --hold --delay 5s', /^UsageError: http:\S+ refused: --delay has no effect with --hold: leave one of them out/],
  ['mode mine --seed 7', /--seed has no effect without --reorder/],
  ['release min', /Did you mean "mine"/],
  ['release mine --order sideways', /Allowed choices are oldest-first, newest-first/],
  ['release mine --count 0', /whole number from 1 to 999999999/],
  ['release mine --max-wait 2m', /60s at most/],
  ['release mine some --order newest-first', /or --order, not both/],
  ['release mine some', /The command names what the subscription does not hold: some\. xpk deliveries --state held lists/],
];
for (const [line, why] of refused) {
  test(`refused with what would be right: xpk ${line}`, async () => {
    await assert.rejects(xpk(line), why);
    assert.equal((await json('mode mine')).mode, null);
  });
}

test('the commands are there, and exit with 2 for an invalid value, with 1 for an unknown subscription', async () => {
  const run = (...args: string[]) => promisify(execFile)(process.execPath, ['src/cli/main.ts', ...args]);
  const help = (await run('--help')).stdout;
  for (const verb of ['mode', 'release']) assert.match(help, new RegExp(`^  ${verb}\\b`, 'm'));
  await assert.rejects(run('mode', 'mine', '--delay', '-5s', '--url', told.kit.url), { code: 2, stdout: '', stderr: /not -5s\./ });
  await assert.rejects(run('release', 'min', '--url', told.kit.url), {
    code: 1,
    stdout: '',
    stderr: /^xpk: \S+ refused: There is no subscription/,
  });
});
