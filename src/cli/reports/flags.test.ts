import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReportFlags } from './flags.ts';

const reportDir = 'unused';
const readCounts = async (flags: { failOn?: readonly string[]; strict?: boolean }) => {
  const { makesRunFail } = (await readReportFlags({ reportDir, ...flags }, 'client')).settings;
  return [
    makesRunFail({ id: 'client.cursor-opaque', level: 'documented' }),
    makesRunFail({ id: 'client.login-hint.e164', level: 'documented' }),
    makesRunFail({ id: 'limits.users.back-off', level: 'implied' }),
  ];
};

test('--fail-on and --strict select the failures that count', async () => {
  assert.deepEqual(await readCounts({}), [true, true, false]);
  assert.deepEqual(await readCounts({ strict: true }), [true, true, true]);
  assert.deepEqual(await readCounts({ failOn: ['implied'] }), [true, true, true]);
  assert.deepEqual(await readCounts({ failOn: ['limits.users.*', 'client.cursor-opaque'] }), [true, false, true]);
});

test("--rule selects the check's rules, in the contract's order", async () => {
  const rule = ['client.state.*', 'client.pkce.s256'];
  const { rules } = await readReportFlags({ reportDir, rule }, 'client');
  assert.deepEqual(rules, ['client.pkce.s256', 'client.state.sent', 'client.state.fresh', 'client.state.compared']);
});

test('a --rule pattern that begins with ! excludes rules from those that other patterns select, or from all rules if there is no other pattern', async () => {
  const { rules } = await readReportFlags({ reportDir, rule: ['client.state.*', '!client.state.sent'] }, 'client');
  assert.deepEqual(rules, ['client.state.fresh', 'client.state.compared']);
  const { rules: others = [] } = await readReportFlags({ reportDir, rule: ['!client.*'] }, 'client');
  assert.ok(others.length > 0 && others.every((id) => !id.startsWith('client.')));
});

const REFUSED_FLAGS: [flag: 'rule' | 'failOn', value: string, reason: RegExp][] = [
  ['rule', '!client.cursor-opake', /^--rule client\.cursor-opake: There is no such rule\./],
  ['rule', '!*', /^--rule !\*: These patterns exclude all rules\.$/],
  ['rule', 'client.cursor-opake', /^--rule client\.cursor-opake: There is no such rule\. Did you mean "?client\.cursor-opaque/],
  [
    'rule',
    'users.list.shape',
    /^--rule users\.list\.shape: This check does not test this rule\. List its rules with: xpk check client --list$/,
  ],
  [
    'failOn',
    'client.telephone-number-not-tn',
    /^--fail-on client\.telephone-number-not-tn: The rule is advice, which never fails a run\.$/,
  ],
];
for (const [flag, value, message] of REFUSED_FLAGS) {
  test(`${flag} ${value} is refused`, () =>
    assert.rejects(readReportFlags({ reportDir, [flag]: [value] }, 'client'), { name: 'UsageError', message }));
}
