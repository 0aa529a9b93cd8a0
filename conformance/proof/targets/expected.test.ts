import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExpected } from './expected.ts';
import { targetServers } from './targets.ts';

const EVERYTHING = "- { verdict: passed, why: kept, rules: ['*'] }\n";

test('later groups and lists override earlier groups and lists, and a group can name a rule in a single path form', () => {
  const expected = parseExpected([
    `${EVERYTHING}- { verdict: failed, why: broken, rules: [users.list.*] }`,
    '- { verdict: error, why: no answer, rules: [users.list.shape, auth.challenge (flat)] }',
  ]);
  assert.deepEqual(expected('users.get.shape', 'prefixed'), { verdicts: ['passed'], why: 'kept' });
  assert.deepEqual(expected('users.list.count', 'prefixed')?.verdicts, ['failed']);
  assert.deepEqual(expected('users.list.shape', 'prefixed')?.verdicts, ['error']);
  assert.deepEqual(expected('auth.challenge', 'prefixed')?.verdicts, ['passed']);
  assert.deepEqual(expected('auth.challenge', 'flat')?.verdicts, ['error']);
});

for (const [text, message] of [
  [`${EVERYTHING}- { verdict: failed, why: broken, rules: [users.lists.*] }`, /No rule matches users\.lists\.\*/],
  ["- { verdict: failed, why: broken, rules: ['users.*'] }", /no expected verdict: .*auth\.challenge \(flat\)/],
  ["- { verdict: fine, why: kept, rules: ['*'] }", /malformed/],
  ["- { verdict: passed, why: '', rules: ['*'] }", /malformed/],
] as const) {
  test(`the following list of expected verdicts is refused: ${text.trim()}`, () => assert.throws(() => parseExpected([text]), message));
}

test('every target has an expected verdict on every rule', async () => {
  assert.equal((await targetServers(undefined)).length, 6);
});
