import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getValidator } from './validators.ts';

const UUID = '0f5ad5bc-63f2-4d6c-9d7e-2b7f1f0a5c11';
const NUMBER = 'must be a telephone number in E.164 form such as +12065550100 (in a query, + is written %2B)';
const FILTER = 'needs at least one filter: accountId, or targetType with targetValue';
const DURATION = 'must be a duration such as 1h30m, or a whole number of milliseconds, of at most one year';

const sentences: readonly [schema: string, value: unknown, pointer: string, message: string][] = [
  ['openapi#/$defs/AssignmentsListQuery', {}, '', FILTER],
  ['openapi#/$defs/AssignmentsListQuery', { accountId: 'x' }, '/accountId', `must be a UUID such as ${UUID}`],
  ['openapi#/$defs/AssignmentsListQuery', { accountId: UUID, pageSize: '0' }, '/pageSize', 'must be a whole number from 1 to 100'],
  ['openapi#/$defs/AssignmentsListQuery', { accountId: UUID, pageSize: 'ten' }, '/pageSize', 'must be a whole number from 1 to 100'],
  ['openapi#/$defs/AssignmentsListQuery', { accountId: UUID, targetValue: UUID }, '', 'needs targetType in addition to targetValue'],
  ['openapi#/$defs/AssignmentsListQuery', { targetType: 'USER' }, '', 'needs targetValue or accountId in addition to targetType'],
  ['openapi#/$defs/AssignmentsListQuery', { targetType: 'PHONE_NUMBER', targetValue: '1' }, '/targetValue', NUMBER],
  ['openapi#/$defs/ConnectionsListQuery', {}, '', 'needs accountId, telephoneNumber or tn'],
  ['openapi#/$defs/ConnectionsListQuery', { tn: '1' }, '/tn', NUMBER],
  ['openapi#/$defs/ConnectionsListQuery', { telephoneNumber: '1' }, '/telephoneNumber', NUMBER],
  ['openapi#/$defs/UsersListQuery', { accountId: UUID, pageSize: '201' }, '/pageSize', 'must be a whole number from 1 to 200'],
  ['openapi#/$defs/UsersListQuery', {}, '/accountId', 'is missing'],
  ['openapi#/$defs/ExperienceAssignmentCreate', [], '', 'must be a JSON object'],
  ['control#/$defs/Advance', { by: 'yesterday' }, '/by', DURATION],
  ['control#/$defs/Advance', { by: -1 }, '/by', DURATION],
  ['control#/$defs/Advance', { by: 0, when: 1 }, '/when', 'is not a known name; the known names are by, maxWaitMs'],
  ['control#/$defs/FaultRequest', { fault: 'latency', latencyMs: 'x' }, '/latencyMs', 'must be a whole number'],
];
for (const [schema, value, pointer, message] of sentences) {
  test(`${schema.split('/').at(-1)} ${JSON.stringify(value)}: ${pointer} ${message}`, () => {
    assert.deepEqual(
      getValidator(schema)(value).map((found) => [found.pointer, found.message]),
      [[pointer, message]],
    );
  });
}

test('the errors of a body are found without searching all errors for each error', (t) => {
  const { findIndex } = Array.prototype;
  let searches = 0;
  Array.prototype.findIndex = function (...args) {
    searches++;
    return findIndex.apply(this, args);
  };
  t.after(() => {
    Array.prototype.findIndex = findIndex;
  });
  const body = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key${index}`, 1]));
  assert.equal(getValidator('control#/$defs/Advance')(body).length, 1001);
  assert.ok(searches < 10, String(searches));
});

test('the errors of many values are collected without copying all earlier errors for each value', (t) => {
  const { concat } = Array.prototype;
  let copied = 0;
  Array.prototype.concat = function (...args) {
    copied += this.length;
    return concat.apply(this, args);
  };
  t.after(() => {
    Array.prototype.concat = concat;
  });
  const providers = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`p${index}`, { nmae: 'P' }]));
  assert.equal(getValidator('control#/$defs/World')({ world: 'w', providers }).length, 2000);
  assert.ok(copied < 10_000, String(copied));
});
