import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventTypes } from '../../contract/generated/events.ts';
import { rulesOfCheck } from '../rules.ts';
import { SCENARIOS } from './scenarios.ts';

/** Rules that are judged by all deliveries together, or by the URL of the endpoint. */
const OTHERS = /^events\.endpoint\.(https|port-443|certificate|accepts-json-post|acknowledges-with-2xx|answers-in-time)$/;

test('every rule about the state of a consumer has a scenario', () => {
  const tested = new Set<string>(SCENARIOS.filter(({ observation }) => observation === undefined).map(({ rule }) => rule));
  const missing = rulesOfCheck('webhook').filter(({ id }) => !OTHERS.test(id) && !tested.has(id));
  assert.deepEqual(missing, []);
});

test('the scenarios deliver every event type', () => {
  const types = new Set(SCENARIOS.flatMap(({ steps }) => steps.flatMap((step) => (step.step === 'change' ? step.type : []))));
  assert.deepEqual(
    eventTypes.filter((type) => !types.has(type)),
    [],
  );
});

test('a scenario that needs another one runs after it', () => {
  const ids = SCENARIOS.map(({ id }) => id);
  for (const [index, { id, requires = [] }] of SCENARIOS.entries())
    for (const needed of requires) assert.ok(ids.slice(0, index).includes(needed), `${id} needs ${needed}`);
});
