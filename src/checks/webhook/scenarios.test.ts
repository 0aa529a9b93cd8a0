import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventTypes } from '../../contract/generated/events.ts';
import { listRulesOfCheck } from '../rules.ts';
import { SCENARIOS } from './scenarios.ts';

/** Rules that depend on all deliveries together, or on the endpoint's URL, and the rule about events that no change publishes. */
const RULES_WITHOUT_SCENARIO =
  /^events\.(endpoint\.(https|port-443|certificate|accepts-json-post|acknowledges-with-2xx|answers-in-time)|consumer\.accepts-unknown-types)$/;

test("every rule about a consumer's state has a scenario", () => {
  const tested = new Set<string>(SCENARIOS.filter(({ observation }) => observation === undefined).map(({ rule }) => rule));
  const missing = listRulesOfCheck('webhook').filter(({ id }) => !RULES_WITHOUT_SCENARIO.test(id) && !tested.has(id));
  assert.deepEqual(missing, []);
});

test('the scenarios deliver every event type', () => {
  const types = new Set(SCENARIOS.flatMap(({ steps }) => steps.flatMap((step) => (step.step === 'change' ? step.type : []))));
  assert.deepEqual(
    eventTypes.filter((type) => !types.has(type)),
    [],
  );
});

test('a scenario runs after the scenarios that it requires', () => {
  const ids = SCENARIOS.map(({ id }) => id);
  for (const [index, { id, requires = [] }] of SCENARIOS.entries())
    for (const needed of requires) assert.ok(ids.slice(0, index).includes(needed), `${id} needs ${needed}`);
});
