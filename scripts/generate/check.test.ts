import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkIds, checkOperations } from './check.ts';
import { type Parts, rule, smallContract } from './small-contract.ts';

function check(parts: Parts): void {
  const contract = smallContract(parts);
  checkIds(contract, contract.documents, contract.problems);
  checkOperations(contract.operations, contract.openapi, contract.problems);
  contract.problems.throwIfAny();
}

const decision = {
  question: 'Which?',
  section: 'Endpoints',
  default: 400,
  alternatives: [422],
  means: { 400: 'One.', 422: 'Other.' },
  observable: true,
};

test('a contract that agrees with itself is accepted', () => {
  check({ decisions: { 'things.open': decision }, xDecisions: ['things.open'] });
});

test('an x-rule that names no rule and no decision is refused, and its place is named', () => {
  const query = { properties: { size: { 'x-rule': { pattern: 'things.sise' } } } };
  assert.throws(() => check({ query }), /ThingsQuery\/properties\/size: x-rule names things\.sise, which is neither/);
});

test('an x-rule that no refusal of the operation has is refused', () => {
  const query = { properties: { size: { 'x-rule': 'things.other' } } };
  assert.throws(
    () => check({ query, operationRules: { 'things.other': rule('Other.') } }),
    /getThings: a request schema names things\.other/,
  );
});

test('an x-rule may name one of the open points of the operation', () => {
  const query = { properties: { size: { 'x-rule': 'things.open' } } };
  check({ query, decisions: { 'things.open': decision }, xDecisions: ['things.open'] });
});

test('an x-decisions that names no decision is refused', () => {
  assert.throws(() => check({ xDecisions: ['things.open'] }), /x-decisions names things\.open, which is no decision/);
});

test('an id that is a rule and a decision is refused', () => {
  assert.throws(() => check({ decisions: { 'things.size': decision } }), /decisions\.yaml: things\.size is a rule, too/);
});

test('a query schema that lacks a parameter is refused', () => {
  assert.throws(() => check({ query: { properties: {} } }), /ThingsQuery lacks the query parameter size/);
});

test('a query schema with a member that is no parameter is refused', () => {
  assert.throws(() => check({ query: { properties: { size: {}, colour: {} } } }), /ThingsQuery has colour, which is no query parameter/);
});

test('a flat path that does not belong to the prefixed one is refused', () => {
  assert.throws(() => check({ flatPath: '/things' }), /getThings: has the flat path \/things where \/experience-things is due/);
});
