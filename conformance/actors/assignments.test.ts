import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Need } from '../target/capabilities.ts';
import { createAnswer } from '../target/testing/answer.ts';
import type { Client } from './api-client.ts';
import { createAssignments } from './assignments.ts';
import type { Ledger } from './ledger.ts';

function createAssignmentsWithOneNumber() {
  const sent: string[] = [];
  const api: Pick<Client, 'call'> = {
    async call(operation, { body } = {}) {
      sent.push(operation);
      return createAnswer({ status: operation === 'deleteExperienceAssignment' ? 204 : 201, json: { id: 'a1', ...(body as object) } });
    },
  };
  const need = async (capability: string) => (capability === 'numbers' ? async () => '+12015550100' : capability);
  const ledger: Ledger = { addAssignment() {}, addConnection() {}, markDeleted() {} };
  return { sent, assignments: createAssignments(api as Client, need as Need, ledger) };
}

test('a check does not assign a number twice if the profile has too few numbers', async () => {
  const { sent, assignments } = createAssignmentsWithOneNumber();
  await assignments.createOrThrow();
  await assert.rejects(assignments.createOrThrow());
  assert.deepEqual(sent, ['createExperienceAssignment']);
});

test('a check may assign a number again after it has deleted the assignment', async () => {
  const { sent, assignments } = createAssignmentsWithOneNumber();
  await assignments.remove((await assignments.createOrThrow()).id);
  await assignments.createOrThrow();
  assert.equal(sent.length, 3);
});
