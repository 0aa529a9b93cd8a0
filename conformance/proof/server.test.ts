import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KnownServer, type ProofFailure, repeatFailedChecks } from './server.ts';

const server: KnownServer = {
  name: 'a server',
  open: () => Promise.reject(new Error('The test starts no server.')),
  run: {},
  verify: () => [],
};
const ruleFailure: ProofFailure = { server: 'a server', rule: 'users.list.count', text: 'is failed' };
const untestedFailure: ProofFailure = { ...ruleFailure, text: 'is not-testable', untested: true };
const otherRuleFailure: ProofFailure = { server: 'a server', rule: 'users.get.shape', text: 'is failed' };
const failureWithoutRule: ProofFailure = { server: 'a server', text: 'The suite ended without results.' };

const CASES: readonly (readonly [title: string, first: ProofFailure[], second: ProofFailure[], remaining: ProofFailure[]])[] = [
  ['is withdrawn if it occurs in neither of the two repeat runs', [], [], []],
  ['remains if it occurs again in the first repeat run', [ruleFailure], [], [ruleFailure]],
  ['remains if it occurs again in the second repeat run', [], [ruleFailure], [ruleFailure]],
  ['is withdrawn if only the second repeat run could complete its check', [untestedFailure], [], []],
  ['remains if the second repeat run could not complete its check', [], [untestedFailure], [untestedFailure]],
  ['is not replaced by a failure about another rule', [otherRuleFailure], [otherRuleFailure], []],
  ['is replaced by an error outside of the checks', [failureWithoutRule], [], [failureWithoutRule]],
];
for (const [title, first, second, remaining] of CASES) {
  test(`a failure ${title}`, async () => {
    const runs = [first, second];
    assert.deepEqual(await repeatFailedChecks(server, [ruleFailure], async () => runs.shift() ?? []), remaining);
  });
}

test('repeatFailedChecks returns a failure without a rule unchanged, and repeats no check', async () => {
  assert.deepEqual(await repeatFailedChecks(server, [failureWithoutRule], () => assert.fail()), [failureWithoutRule]);
});
