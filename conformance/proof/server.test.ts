import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KnownServer, type Objection, repeatObjections } from './server.ts';

const server: KnownServer = {
  name: 'a server',
  open: () => Promise.reject(new Error('The test starts no server.')),
  run: {},
  verify: () => [],
};
const failedObjection: Objection = { server: 'a server', rule: 'users.list.count', text: 'is failed' };
const untestedObjection: Objection = { ...failedObjection, text: 'is not-testable', untested: true };
const otherObjection: Objection = { server: 'a server', rule: 'users.get.shape', text: 'is failed' };
const objectionWithoutRule: Objection = { server: 'a server', text: 'The suite ended without results.' };

const CASES: readonly (readonly [title: string, first: Objection[], second: Objection[], remaining: Objection[]])[] = [
  ['is withdrawn if it occurs in neither run', [], [], []],
  ['remains if it occurs again in the first run', [failedObjection], [], [failedObjection]],
  ['remains if it occurs again in the second run', [], [failedObjection], [failedObjection]],
  ['is withdrawn if its check could be completed only in the second run', [untestedObjection], [], []],
  ['remains if its check could not be completed in the second run', [], [untestedObjection], [untestedObjection]],
  ['is not replaced by an objection about another rule', [otherObjection], [otherObjection], []],
  ['is replaced by an error outside of the checks', [objectionWithoutRule], [], [objectionWithoutRule]],
];
for (const [title, first, second, remaining] of CASES) {
  test(`an objection ${title}`, async () => {
    const runs = [first, second];
    assert.deepEqual(await repeatObjections(server, [failedObjection], async () => runs.shift() ?? []), remaining);
  });
}

test('repeatObjections keeps an objection without a rule, and runs no check again', async () => {
  assert.deepEqual(await repeatObjections(server, [objectionWithoutRule], () => assert.fail()), [objectionWithoutRule]);
});

test("repeatObjections tests both the objection's rule and the rule in shownBy", async () => {
  const tested: unknown[] = [];
  await repeatObjections(server, [{ ...failedObjection, shownBy: 'users.get.shape' }], async ({ run }) => {
    tested.push(run.rules);
    return [];
  });
  assert.deepEqual(tested[0], ['users.list.count', 'users.get.shape']);
});
