import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { startConsumerLab } from '../../testing/consumer-lab.ts';
import type { RuleOutcome } from '../outcome.ts';
import { createCheckWorld } from './check-world.ts';
import { createEndpoint } from './endpoint.ts';
import { checkRandomSequences, runRandomCheck } from './random.ts';
import { createRunner } from './runner.ts';
import type { WebhookScenario } from './scenario.ts';
import { SCENARIOS } from './scenarios.ts';
import type { Fault } from './testing/faults.ts';
import { createViewPoller } from './view-poller.ts';

async function startRandomCheck(fault?: Fault) {
  const { kitUrl, control, consumer, close } = await startConsumerLab({ fault });
  const world = await createCheckWorld({ url: kitUrl, control });
  const endpoint = createEndpoint({ url: consumer.url, mode: 'local', answerWithinMs: 5000, secret: undefined, now: world.now });
  const runner = createRunner({ world, endpoint, control, viewPoller: createViewPoller(consumer.view, () => 100), hooks: {} });
  return {
    run: (seed: number, path?: string): Promise<RuleOutcome> =>
      checkRandomSequences({ runner, quick: runner }, { seed, count: 20, path, kinds: KINDS, abilities: ABILITIES, limitMs: 300_000 }),
    async close() {
      await endpoint.close();
      await close();
    },
  };
}

const KINDS = ['connections', 'assignments', 'users'] as const;
const ABILITIES = { canRestart: false, acceptsLaterInstants: true };

const listDeliveries = ({ timeline }: RuleOutcome) =>
  timeline.filter(({ by }) => by === 'service').map(({ text }) => text.replace(/ \(.*/, ''));

const faultCases: { readonly fault: Fault; readonly seed: number; readonly rule: RuleOutcome['rule']; readonly needed: number }[] = [
  { fault: 'remembers-3-ids', seed: 3, rule: 'events.consumer.deduplicates', needed: 5 },
  { fault: 'drops-third-change', seed: 3, rule: 'events.endpoint.acknowledges-what-it-keeps', needed: 3 },
  { fault: 'forgets-deletions', seed: 1, rule: 'events.consumer.remembers-deletions', needed: 2 },
  { fault: 'races', seed: 3, rule: 'events.consumer.any-order', needed: 2 },
  { fault: 'ignores-foreign-numbers', seed: 1, rule: 'events.endpoint.acknowledges-what-it-keeps', needed: 1 },
];
for (const { fault, seed, rule, needed } of faultCases) {
  test(`random sequences find the fault ${fault}, shrink the failing sequence to ${needed} deliveries, and can repeat it`, async (t) => {
    const random = await startRandomCheck(fault);
    t.after(random.close);
    const found = await random.run(seed);
    assert.deepEqual([found.verdict, found.rule], ['failed', rule]);
    assert.match(found.title, new RegExp(`^${needed} deliver`));
    const [, again, , path] = found.replay!.split(' ');
    const repeated = await random.run(Number(again), path);
    assert.deepEqual([repeated.rule, listDeliveries(repeated).slice(-needed)], [rule, listDeliveries(found).slice(-needed)]);
  });
}

test('if a failure occurs only once, or even without its presumed cause, the reported rule is an undocumented one', async () => {
  const settings = { count: 1, kinds: KINDS, abilities: ABILITIES, limitMs: 60_000 };
  const passes = { run: async () => ({ verdict: 'passed', timeline: [] }) as const };
  const fails = { run: async () => ({ verdict: 'failed', failure: 'view', timeline: [] }) as const };
  for (let seed = 1; seed <= 20; seed++) {
    let runs = 0;
    const once = { run: () => (++runs === 1 ? fails : passes).run() };
    const foundOnce = await checkRandomSequences({ runner: once, quick: passes }, { ...settings, seed });
    assert.equal(foundOnce.rule, 'events.consumer.any-order');
    const foundAlways = await checkRandomSequences({ runner: fails, quick: passes }, { ...settings, seed });
    assert.match(foundAlways.rule, /\.(any-order|acknowledges-what-it-keeps)$/);
  }
});

test('the path repeats the same sequence even if sequences omit users because a scenario about users failed', async () => {
  const run = async (seed: number, path: string | undefined, failed: readonly string[]) => {
    const results = new Map(
      SCENARIOS.map(({ id }) => [id, { verdict: failed.includes(id) ? 'failed' : 'passed', timeline: [] } as const] as const),
    );
    const sequences: WebhookScenario['steps'][] = [];
    const runner = {
      async run({ steps }: WebhookScenario) {
        sequences.push(steps);
        if (steps.length < 6) return { verdict: 'passed', timeline: [] } as const;
        return { verdict: 'failed', failure: 'view', timeline: [] } as const;
      },
    };
    const settings = { seed, count: 5, path, limitMs: 60_000, stopped: undefined };
    const [outcome] = await runRandomCheck(settings, { runner, quick: runner }, results, () => {});
    return { replay: outcome?.replay, sequences };
  };
  for (let seed = 1; seed <= 10; seed++) {
    const { replay, sequences } = await run(seed, undefined, ['user-deleted']);
    const path = replay!.split(' ').at(-1)!;
    const repeated = await run(seed, path, []);
    assert.ok(
      sequences.some((steps) => isDeepStrictEqual(steps, repeated.sequences[0])),
      replay,
    );
    assert.equal(repeated.replay, replay);
  }
});

test('an unknown path is refused', async (t) => {
  const random = await startRandomCheck();
  t.after(random.close);
  for (const path of ['0:999', '0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0'])
    await assert.rejects(random.run(1, path), {
      name: 'UsageError',
      message: new RegExp(`No sequence of --seed 1 has the path ${path}\\.`),
    });
});
