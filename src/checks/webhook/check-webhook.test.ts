import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startConsumerLab, WORLD } from '../../testing/consumer-lab.ts';
import type { World } from '../../world/world.ts';
import type { ConsumerState } from './view.ts';

test('the check ends when the endpoint stops listening', { timeout: 60_000 }, async (t) => {
  const lab = await startConsumerLab({ fault: 'exits-on-early-activation' });
  t.after(lab.close);
  const { outcomes, notes } = await lab.check({ random: { seed: 1, count: 10, limitMs: 60_000 } });
  const failed = outcomes.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');
  assert.deepEqual(
    failed.map(({ rule }) => rule),
    ['events.endpoint.acknowledges-with-2xx'],
  );
  assert.match(
    failed[0]?.message ?? '',
    /^The endpoint stopped listening while it handled experience\.connection\.activated of c\d in the scen/,
  );
  const reasons = outcomes.map(({ reason = '' }) => reason);
  assert.ok(reasons.filter((reason) => reason.startsWith('The endpoint stopped listening')).length > 5, reasons.join('\n'));
  assert.deepEqual(notes, []);
});

test('an endpoint that a supervisor restarts breaks no rule', { timeout: 60_000 }, async (t) => {
  const lab = await startConsumerLab({ style: 'exits-once-and-is-restarted' });
  t.after(lab.close);
  const { outcomes } = await lab.check({ rules: ['events.consumer.any-order', 'events.endpoint.acknowledges-with-2xx'] });
  const texts = outcomes.flatMap(({ timeline }) => timeline.map(({ text }) => text));
  assert.ok(texts.some((text) => text.includes('connection refused')));
  assert.deepEqual(
    outcomes.filter(({ verdict }) => verdict !== 'passed'),
    [],
  );
});

const SET_RULES = ['events.consumer.user-set-seeded', 'events.consumer.user-set-per-account'];
const { north, south, west } = WORLD.accounts!;
const { principals, telephoneNumbers: numbers, generate } = WORLD;
const manager = (...accounts: string[]) => ({
  boss: { ...principals!.boss!, accounts: Object.fromEntries(accounts.map((account) => [account, 'manage' as const])) },
});

/** Worlds in which a scenario with the wrong accounts would not show the fault. */
const smallWorlds: readonly { title: string; fault: 'never-seeds' | 'one-set-for-all-accounts'; world: World; verdicts: string[] }[] = [
  {
    title: 'accounts without users',
    fault: 'never-seeds',
    world: { ...WORLD, generate: {} },
    verdicts: ['not-testable', 'passed'],
  },
  {
    title: 'five accounts, only one of which has users',
    fault: 'never-seeds',
    world: {
      ...WORLD,
      accounts: { north: north!, south: south!, west: west!, east: { name: 'East' }, centre: { name: 'Centre' } },
      generate: { users: generate!.users!.filter(({ account }) => account === 'west') },
      principals: manager('north', 'south', 'west', 'east', 'centre'),
    },
    verdicts: ['failed', 'passed'],
  },
  {
    title: 'two accounts',
    fault: 'one-set-for-all-accounts',
    world: {
      ...WORLD,
      accounts: { north: north!, west: west! },
      telephoneNumbers: { '+12065550100': numbers!['+12065550100']!, '+12065550101': numbers!['+12065550101']! },
      generate: { users: generate!.users!.filter(({ account }) => account === 'west') },
      principals: manager('north', 'west'),
    },
    verdicts: ['passed', 'failed'],
  },
  {
    title: 'one account',
    fault: 'one-set-for-all-accounts',
    world: {
      ...WORLD,
      accounts: { north: north! },
      telephoneNumbers: { '+12065550100': numbers!['+12065550100']! },
      generate: {},
      principals: manager('north'),
    },
    verdicts: ['not-testable', 'not-testable'],
  },
];
for (const { title, fault, world, verdicts } of smallWorlds)
  test(`in a world with ${title}, a consumer with the fault ${fault} does not pass`, { timeout: 60_000 }, async (t) => {
    const lab = await startConsumerLab({ fault, world });
    t.after(lab.close);
    const { outcomes } = await lab.check({ rules: SET_RULES, settleMs: 200 });
    assert.deepEqual(
      SET_RULES.map((rule) => outcomes.find((outcome) => outcome.rule === rule)?.verdict),
      verdicts,
      JSON.stringify(outcomes.map(({ title: name, reason, message }) => [name, reason, message])),
    );
  });

for (const [fault, verdict, loses] of [
  [undefined, 'not-testable', false],
  ['never-rebuilds', 'failed', true],
] as const)
  test(`if the consumer ${loses ? 'never rebuilds its lost store' : 'did not lose its store'}, the rule about the loss is ${verdict}`, {
    timeout: 60_000,
  }, async (t) => {
    const lab = await startConsumerLab({ fault });
    t.after(lab.close);
    const rule = 'events.consumer.rebuilds-from-lists';
    const { outcomes } = await lab.check({ rules: [rule], settleMs: 200, ...(!loses && { loseStore: () => {} }) });
    const found = outcomes.filter((outcome) => outcome.rule === rule);
    assert.deepEqual([...new Set(found.map((outcome) => outcome.verdict))], [verdict]);
    const reasons = found.map(({ reason = '' }) => reason);
    assert.equal(reasons.filter((reason) => reason.endsWith('has probably not lost its store')).length, loses ? 0 : 2, reasons.join('\n'));
  });

for (const [decision, value, rule] of [
  ['connections.create.initial-state', 'ACTIVE', 'events.consumer.any-order'],
  ['connections.delete.other-assignments', 'removed', 'events.consumer.user-set-removes'],
  ['assignments.create.needs-connection', 409, 'events.consumer.rebuilds-from-lists'],
] as const)
  test(`with the decision ${decision}=${value}, a correct consumer passes, and nothing remains in the kit`, {
    timeout: 60_000,
  }, async (t) => {
    const lab = await startConsumerLab({ set: { [decision]: value } });
    t.after(lab.close);
    const before = await lab.control.GET('/_control/state');
    const { outcomes } = await lab.check({ rules: [rule] });
    assert.deepEqual(
      outcomes.filter(({ verdict }) => verdict !== 'passed'),
      [],
    );
    assert.ok(outcomes.length > 0);
    assert.deepEqual((await lab.control.GET('/_control/state')).data, before.data);
  });

test('after an unknown path, nothing remains in the kit, and the error names the path', { timeout: 60_000 }, async (t) => {
  const lab = await startConsumerLab({});
  t.after(lab.close);
  const before = await lab.control.GET('/_control/state');
  await assert.rejects(
    lab.check({ random: { seed: 1, path: '0:999', count: 1, limitMs: 60_000 } }),
    /No sequence of --seed 1 has the path/,
  );
  assert.deepEqual((await lab.control.GET('/_control/state')).data, before.data);
});

test('the documentation names the rules that cannot be tested for a consumer that stores no connections', {
  timeout: 60_000,
}, async (t) => {
  const lab = await startConsumerLab({});
  t.after(lab.close);
  const state = async () => {
    const { connections: _, ...others }: ConsumerState = await lab.consumer.view();
    return others;
  };
  const { outcomes } = await lab.check({ state });
  const needsConnections = ({ missing = [] }: (typeof outcomes)[number]) => missing.includes('state.connections');
  const rules = Map.groupBy(outcomes, ({ rule }) => rule);
  const untested = [...rules].filter(([, found]) => found.every(needsConnections)).map(([rule]) => rule);
  const [sentence = ''] = /The rules\n[\s\S]*?cannot be tested/.exec(readFileSync('docs/check-webhook.md', 'utf8')) ?? [];
  assert.deepEqual([...sentence.matchAll(/events\.[\w.-]+/g)].map(([rule]) => rule).sort(), untested.sort());
  assert.equal([...rules.values()].filter((found) => found.some(needsConnections)).length - untested.length, 5);
  assert.deepEqual(
    outcomes.filter(({ verdict }) => verdict === 'failed'),
    [],
  );
});
