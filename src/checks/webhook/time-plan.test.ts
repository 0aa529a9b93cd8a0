import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCENARIOS } from './scenarios.ts';
import { TimePlan } from './time-plan.ts';

const [first, ...others] = SCENARIOS;

test('a consumer that takes three seconds for each event gets a plan that fits into two minutes, and says what is left out', (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const plan = new TimePlan(120_000);
  const run = (scenario: (typeof SCENARIOS)[number]) => {
    const { steps } = scenario;
    now += 3000 * steps.filter(({ step }) => step === 'send').length;
    plan.record(scenario, 3000 * steps.filter(({ step }) => step === 'send').length);
  };
  run(first!);
  assert.match(plan.describe(others, 20) ?? '', /would take about \d+ min\. Within the time limit of 2 min, it runs about \d+ of \d+ more/);
  for (const scenario of others) if (plan.hasTimeFor(scenario)) run(scenario);
  assert.ok(now > 60_000 && now <= 120_000, String(now));
  assert.ok(plan.limitSequences(20) < 20);
});

test('a consumer that answers at once gets the whole check', () => {
  const plan = new TimePlan(120_000);
  plan.record(first!, 50);
  assert.equal(plan.describe(others, 20), undefined);
  assert.equal(plan.limitSequences(20), 20);
});
