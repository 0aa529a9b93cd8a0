import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startConsumerLab } from '../../testing/consumer-lab.ts';

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
    /^The endpoint stopped listening while it handled experience\.connection\.activated of c1 in the scen/,
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
