import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WRONG_CLIENTS } from '../testing/wrong-clients.ts';
import { isDecisive, listRulesOfCheck } from './rules.ts';
import { FAULTS } from './webhook/testing/faults.ts';

/** Rules about an endpoint's URL. strict-endpoint.test.ts tests them. */
const URL_RULES = ['events.endpoint.https', 'events.endpoint.port-443', 'events.endpoint.certificate'];

test('each rule of a check is broken by at least one faulty client or webhook endpoint in the tests', () => {
  const broken = new Set<string>([...Object.values(FAULTS), ...WRONG_CLIENTS.flatMap(({ breaks }) => breaks), ...URL_RULES]);
  const unbroken = [...listRulesOfCheck('webhook'), ...listRulesOfCheck('client')].filter(({ id }) => !broken.has(id));
  assert.deepEqual(unbroken, []);
});

test('a webhook consumer whose final state is wrong, or that loses an event, breaks a rule that makes the run fail, unless the rule is advice', () => {
  const rules = listRulesOfCheck('webhook').filter(({ id }) => Object.values<string>(FAULTS).includes(id));
  assert.deepEqual(
    rules.filter((rule) => !isDecisive(rule) && rule.level !== 'advice').map(({ id }) => id),
    [],
  );
});
