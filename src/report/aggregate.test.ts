import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../contract/generated/results.ts';
import { aggregate, gatherObservations } from './aggregate.ts';
import { FORMS, rulesInScope } from './scope.ts';
import { DOCUMENTED, finding, ONE_PATH, smallResults, smallScope } from './testing/small-results.ts';

const cells = (id: string, results = smallResults([])) => results.rules.find((rule) => rule.id === id)!.cells;

const precedence: [Verdict[], Verdict][] = [
  [['passed', 'failed', 'error'], 'failed'],
  [['passed', 'error', 'not-testable'], 'error'],
  [['not-testable', 'passed'], 'partly-tested'],
  [['not-applicable', 'passed'], 'passed'],
  [['partly-tested', 'not-testable'], 'partly-tested'],
  [['not-applicable', 'not-testable'], 'not-testable'],
];
for (const [checks, verdict] of precedence) {
  test(`a rule whose checks are ${checks.join(', ')} is ${verdict}`, () => {
    const results = smallResults(checks.map((each) => finding(DOCUMENTED, 'flat', each)));
    assert.equal(cells(DOCUMENTED, results).flat?.verdict, verdict);
  });
}

test('if the verdicts on a rule differ between the two path forms, the worse verdict is the verdict on the rule', () => {
  const results = smallResults([finding(DOCUMENTED, 'prefixed', 'passed'), finding(DOCUMENTED, 'flat', 'failed')]);
  assert.equal(results.rules.find(({ id }) => id === DOCUMENTED)?.verdict, 'failed');
});

test('the result of a rule lists the missing capabilities of its checks, even if some checks of the rule passed', () => {
  const missing = finding(DOCUMENTED, 'flat', 'not-testable', { missing: ['token.reader'] });
  assert.equal(
    cells(DOCUMENTED, smallResults([missing])).flat?.reason,
    'the target does not give token.reader (tokens.reader of the profile)',
  );
  assert.deepEqual(cells(DOCUMENTED, smallResults([missing, finding(DOCUMENTED, 'flat', 'passed')])).flat?.missing, ['token.reader']);
});

test('a rule is tested in only one path form if its operations have the same path in both path forms', () => {
  assert.equal(cells(ONE_PATH).flat?.verdict, 'not-applicable');
  assert.equal(cells(ONE_PATH).flat?.reason, 'it has one path in both forms');
});

test('a rule without checks is not testable, and the reason says that the suite has no check of the rule', () => {
  assert.deepEqual(cells(DOCUMENTED).flat, {
    verdict: 'not-testable',
    reason: 'the suite has no check for this rule',
    missing: [],
    checks: [],
  });
});

test('a rule that the profile excludes in one path form is not applicable in that path form', () => {
  const notApplicable = [{ rule: DOCUMENTED, form: 'flat' as const, reason: 'lists are elsewhere' }];
  const findings = [finding(DOCUMENTED, 'prefixed', 'passed'), finding(DOCUMENTED, 'flat', 'failed')];
  const [rule] = aggregate({ rules: smallScope.filter(({ id }) => id === DOCUMENTED), columns: FORMS, findings, notApplicable });
  assert.equal(rule?.cells.flat?.reason, 'lists are elsewhere');
  assert.equal(rule?.verdict, 'passed');
});

test('observations are grouped by decision and value', () => {
  const seen = [
    { decision: 'b', value: 409, form: 'flat' as const },
    { decision: 'b', value: 409, form: 'prefixed' as const },
    { decision: 'a', value: true, form: 'flat' as const },
    { decision: 'b', value: 422, form: 'flat' as const },
  ];
  assert.deepEqual(gatherObservations(seen), [
    { decision: 'a', value: true, forms: ['flat'] },
    { decision: 'b', value: 409, forms: ['prefixed', 'flat'] },
    { decision: 'b', value: 422, forms: ['flat'] },
  ]);
});

test('every rule in scope is documented or implied, and no rule in scope is advice', () => {
  assert.ok(rulesInScope.length > 150);
  assert.deepEqual(new Set(rulesInScope.map(({ level }) => level)), new Set(['documented', 'implied']));
});
