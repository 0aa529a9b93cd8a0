import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KnownServer, type Objection, repeatObjections } from './server.ts';

const server: KnownServer = {
  name: 'a server',
  open: () => Promise.reject(new Error('The test starts no server.')),
  run: {},
  verify: () => [],
};
const failedVerdict: Objection = { server: 'a server', rule: 'users.list.count', text: 'is failed' };
const untestedVerdict: Objection = { ...failedVerdict, text: 'is not-testable', untested: true };
const other: Objection = { server: 'a server', rule: 'users.get.shape', text: 'is failed' };
const brokenServer: Objection = { server: 'a server', text: 'The suite ended without results.' };

const CASES: readonly (readonly [title: string, first: Objection[], second: Objection[], remaining: Objection[]])[] = [
  ['is withdrawn if it does not occur in either run', [], [], []],
  ['remains if it occurs again in the first run', [failedVerdict], [], [failedVerdict]],
  ['remains if it occurs again in the second run', [], [failedVerdict], [failedVerdict]],
  ['is withdrawn if its check could be completed only in the second run', [untestedVerdict], [], []],
  ['remains if its check could not be completed in the second run', [], [untestedVerdict], [untestedVerdict]],
  ['is not replaced by an objection about another rule', [other], [other], []],
  ['is replaced by an error outside of the checks', [brokenServer], [], [brokenServer]],
];
for (const [title, first, second, remaining] of CASES) {
  test(`an objection ${title}`, async () => {
    const runs = [first, second];
    assert.deepEqual(await repeatObjections(server, [failedVerdict], async () => runs.shift() ?? []), remaining);
  });
}

test('an objection without a rule remains, and no check runs again', async () => {
  assert.deepEqual(await repeatObjections(server, [brokenServer], () => assert.fail()), [brokenServer]);
});

test('the second rule in an objection is also tested again', async () => {
  const tested: unknown[] = [];
  await repeatObjections(server, [{ ...failedVerdict, shownBy: 'users.get.shape' }], async ({ run }) => {
    tested.push(run.rules);
    return [];
  });
  assert.deepEqual(tested[0], ['users.list.count', 'users.get.shape']);
});
