import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KnownServer, type Objection, repeatAlone } from './server.ts';

const server: KnownServer = {
  name: 'a server',
  open: () => Promise.reject(new Error('The test starts no server.')),
  run: {},
  verify: () => [],
};
const failed: Objection = { server: 'a server', rule: 'users.list.count', text: 'is failed' };
const untested: Objection = { ...failed, text: 'is not-testable', untested: true };
const other: Objection = { server: 'a server', rule: 'users.get.shape', text: 'is failed' };
const broken: Objection = { server: 'a server', text: 'The suite ended without results.' };

const CASES: readonly (readonly [title: string, first: Objection[], second: Objection[], remaining: Objection[]])[] = [
  ['is withdrawn if both runs are without it', [], [], []],
  ['remains if it comes back in the first run', [failed], [], [failed]],
  ['remains if it comes back in the second run', [], [failed], [failed]],
  ['is withdrawn if its check could be completed only in the second run', [untested], [], []],
  ['remains if its check could not be completed in the second run', [], [untested], [untested]],
  ['is not replaced by an objection about another rule', [other], [other], []],
  ['is replaced by an error outside of the checks', [broken], [], [broken]],
];
for (const [title, first, second, remaining] of CASES) {
  test(`an objection ${title}`, async () => {
    const runs = [first, second];
    assert.deepEqual(await repeatAlone(server, [failed], async () => runs.shift() ?? []), remaining);
  });
}

test('an objection about no rule remains, and nothing is run again', async () => {
  assert.deepEqual(await repeatAlone(server, [broken], () => assert.fail()), [broken]);
});

test('the rule that shows an objection is tested again too', async () => {
  const tested: unknown[] = [];
  await repeatAlone(server, [{ ...failed, shownBy: 'users.get.shape' }], async ({ run }) => {
    tested.push(run.rules);
    return [];
  });
  assert.deepEqual(tested[0], ['users.list.count', 'users.get.shape']);
});
