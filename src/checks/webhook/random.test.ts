import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../outcome.ts';
import { createEndpoint } from './endpoint.ts';
import { checkRandomSequences } from './random.ts';
import { createRunner } from './runner.ts';
import { createSettling } from './settling.ts';
import { createStage } from './stage.ts';
import { startLab } from './testing/consumer-lab.ts';
import type { Fault } from './testing/faults.ts';

/** Starts a consumer and returns a function that runs random sequences against it. */
async function startRandom(fault?: Fault) {
  const { kitUrl, control, consumer, close } = await startLab({ fault });
  const stage = await createStage({ url: kitUrl, control });
  const endpoint = createEndpoint({ url: consumer.url, answerWithinMs: 5000, secret: undefined, now: stage.now });
  const runner = createRunner({ stage, endpoint, control, settling: createSettling(consumer.view, () => 100), hooks: {} });
  return {
    run: (seed: number, path?: string): Promise<Outcome> =>
      checkRandomSequences(
        { runner, quick: runner },
        { seed, count: 20, path, kinds: ['connections', 'assignments', 'users'], limitMs: 300_000 },
      ),
    async close() {
      await endpoint.close();
      await close();
    },
  };
}

/** The deliveries of an outcome, without ids and times. */
const deliveries = ({ timeline }: Outcome) => timeline.filter(({ by }) => by === 'service').map(({ text }) => text.replace(/ \(.*/, ''));

const cases: { readonly fault: Fault; readonly seed: number; readonly rule: Outcome['rule']; readonly needed: number }[] = [
  { fault: 'remembers-3-ids', seed: 2, rule: 'events.consumer.deduplicates', needed: 5 },
  { fault: 'drops-third-change', seed: 3, rule: 'events.endpoint.acknowledges-what-it-keeps', needed: 3 },
  { fault: 'forgets-deletions', seed: 1, rule: 'events.consumer.remembers-deletions', needed: 2 },
  { fault: 'races', seed: 3, rule: 'events.consumer.any-order', needed: 2 },
];
for (const { fault, seed, rule, needed } of cases) {
  test(`the fault ${fault} is found by a random sequence, which is shortened to ${needed} deliveries and can be repeated`, async (t) => {
    const random = await startRandom(fault);
    t.after(random.close);
    const found = await random.run(seed);
    assert.deepEqual([found.verdict, found.rule], ['failed', rule]);
    assert.match(found.title, new RegExp(`^${needed} deliveries`));
    const [, again, , path] = found.replay!.split(' ');
    const repeated = await random.run(Number(again), path);
    assert.deepEqual([repeated.rule, deliveries(repeated).slice(-needed)], [rule, deliveries(found).slice(-needed)]);
  });
}

test('a failure that does not come back, or that comes also without its cause, breaks no documented rule', async () => {
  const settings = { count: 1, kinds: ['connections', 'assignments', 'users'], limitMs: 60_000 } as const;
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

test('a path that no sequence has is refused', async (t) => {
  const random = await startRandom();
  t.after(random.close);
  for (const path of ['0:999', '0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0'])
    await assert.rejects(random.run(1, path), { name: 'UsageError', message: /--path .* is not the path of a sequence of --seed 1/ });
});
