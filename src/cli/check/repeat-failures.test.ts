import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startConsumerLab } from '../../testing/consumer-lab.ts';
import { repeatFailures } from './repeat-failures.ts';

const COMMANDS = { command: 'xpk check webhook URL', whole: 'xpk check webhook URL --seed 1', leftMs: 60_000 };

test('a memory of 100 ids fails in the run, and again with the command that repeats it', { timeout: 60_000 }, async (t) => {
  const lab = await startConsumerLab({ fault: 'remembers-100-ids' });
  t.after(lab.close);
  const rules = ['events.consumer.deduplicates'];
  const { outcomes } = await lab.check({ rules });
  const repeated = await repeatFailures(outcomes, { ...lab.options, rules }, COMMANDS);
  assert.deepEqual(
    repeated.flatMap(({ verdict, replay }) => (verdict === 'failed' ? replay : [])),
    ['xpk check webhook URL --rule events.consumer.deduplicates'],
  );
});

test('if a failure does not occur again, the command repeats the whole run', { timeout: 60_000 }, async (t) => {
  const lab = await startConsumerLab({});
  t.after(lab.close);
  const failed = { rule: 'events.consumer.deduplicates', title: 'A delivery is repeated.', verdict: 'failed', timeline: [] } as const;
  const [outcome] = await repeatFailures([failed], lab.options, COMMANDS);
  assert.equal(outcome?.replay, COMMANDS.whole);
});
