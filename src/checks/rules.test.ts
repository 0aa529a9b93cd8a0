import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WRONG } from './client/testing/wrong-clients.ts';
import { rulesOfCheck } from './rules.ts';
import { FAULTS } from './webhook/testing/faults.ts';

/** Rules about the URL of an endpoint. The test of the strict endpoint has URLs that break them. */
const URL_RULES = ['events.endpoint.https', 'events.endpoint.port-443', 'events.endpoint.certificate'];

test('for every rule that a check tests there is an integration that breaks it', () => {
  const broken = new Set<string>([...Object.values(FAULTS), ...WRONG.flatMap(({ breaks }) => breaks), ...URL_RULES]);
  const unbroken = [...rulesOfCheck('webhook'), ...rulesOfCheck('client')].filter(({ id }) => !broken.has(id));
  assert.deepEqual(unbroken, []);
});
