import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExpected } from './expected.ts';
import { createTargetServers } from './targets.ts';

const ALL_RULES_PASS = "- { verdict: passed, why: kept, rules: ['*'] }\n";

test('a later group or list overrides earlier groups and lists, for all path forms or for a single path form', () => {
  const expected = parseExpected([
    `${ALL_RULES_PASS}- { verdict: failed, why: broken, rules: [users.list.*] }`,
    '- { verdict: error, why: no answer, rules: [users.list.shape, auth.challenge (flat)] }',
  ]);
  assert.deepEqual(expected('users.get.shape', 'prefixed'), { verdicts: ['passed'], why: 'kept' });
  assert.deepEqual(expected('users.list.count', 'prefixed')?.verdicts, ['failed']);
  assert.deepEqual(expected('users.list.shape', 'prefixed')?.verdicts, ['error']);
  assert.deepEqual(expected('auth.challenge', 'prefixed')?.verdicts, ['passed']);
  assert.deepEqual(expected('auth.challenge', 'flat')?.verdicts, ['error']);
});

for (const [text, message] of [
  [`${ALL_RULES_PASS}- { verdict: failed, why: broken, rules: [users.lists.*] }`, /No rule matches users\.lists\.\*/],
  ["- { verdict: failed, why: broken, rules: ['users.*'] }", /no expected verdict: .*auth\.challenge \(flat\)/],
  ["- { verdict: fine, why: kept, rules: ['*'] }", /malformed/],
  ["- { verdict: passed, why: '', rules: ['*'] }", /malformed/],
] as const) {
  test(`an invalid list of expected verdicts is refused: ${text.trim()}`, () => assert.throws(() => parseExpected([text]), message));
}

test('every target has an expected verdict for every rule', async () => {
  assert.equal((await createTargetServers(undefined, false)).length, 6);
});
