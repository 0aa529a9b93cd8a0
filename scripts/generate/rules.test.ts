import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rule, smallContract } from './small-contract.ts';

test('a rule that stands at two places with another text is refused, and both places are named', () => {
  const { problems } = smallContract({ refusals: { 'things.size': rule('One.') }, operationRules: { 'things.size': rule('Another.') } });
  assert.throws(
    () => problems.throwIfAny(),
    /responses\/400: the rule things\.size reads differently at openapi\/openapi\.yaml#.*\/things\/get/,
  );
});

test('a rule that stands at two places with the same text is one rule', () => {
  const { problems, rules } = smallContract({ refusals: { 'things.size': rule('One.') }, operationRules: { 'things.size': rule('One.') } });
  problems.throwIfAny();
  assert.deepEqual(rules['things.size'], {
    ...rule('One.'),
    actor: 'service',
    document: 'openapi',
    operations: ['getThings'],
    status: '400',
  });
});

test('an unknown level is refused, and the rule is named', () => {
  const { problems } = smallContract({ refusals: { 'things.size': rule('One.', { level: 'certain' }) } });
  assert.throws(() => problems.throwIfAny(), /openapi\.yaml#.*: the rule things\.size has the unknown level certain/);
});

test('an unknown actor is refused', () => {
  const { problems } = smallContract({ refusals: { 'things.size': rule('One.', { actor: 'nobody' }) } });
  assert.throws(() => problems.throwIfAny(), /the rule things\.size has the unknown actor nobody/);
});

test('an unknown key is refused', () => {
  const { problems } = smallContract({ refusals: { 'things.size': rule('One.', { sectoin: 'Endpoints' }) } });
  assert.throws(() => problems.throwIfAny(), /the rule things\.size has the unknown key sectoin/);
});

test('a rule id that is not dotted lower-case words is refused', () => {
  const { problems } = smallContract({ operationRules: { ThingsSize: rule('One.') } });
  assert.throws(() => problems.throwIfAny(), /the rule id ThingsSize is not dotted lower-case words/);
});
