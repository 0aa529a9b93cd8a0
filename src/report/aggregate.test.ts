import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../contract/generated/results.ts';
import { aggregate, groupObservations } from './aggregate.ts';
import { PATH_FORMS, rulesInScope } from './scope.ts';
import { createFinding, createSmallResults, DOCUMENTED_RULE, ONE_PATH_RULE, smallScope } from './testing/small-results.ts';

const aggregateCells = (id: string, results = createSmallResults([])) => results.rules.find((rule) => rule.id === id)!.cells;

const verdictCases: [Verdict[], Verdict][] = [
  [['passed', 'failed', 'error'], 'failed'],
  [['passed', 'error', 'not-testable'], 'error'],
  [['not-testable', 'passed'], 'partly-tested'],
  [['not-applicable', 'passed'], 'passed'],
  [['partly-tested', 'not-testable'], 'partly-tested'],
  [['not-applicable', 'not-testable'], 'not-testable'],
];
for (const [checks, verdict] of verdictCases) {
  test(`a rule whose checks are ${checks.join(', ')} is ${verdict}`, () => {
    const results = createSmallResults(checks.map((each) => createFinding(DOCUMENTED_RULE, 'flat', each)));
    assert.equal(aggregateCells(DOCUMENTED_RULE, results).flat?.verdict, verdict);
  });
}

test("a rule's verdict is the worse of its verdicts in the two path forms", () => {
  const results = createSmallResults([
    createFinding(DOCUMENTED_RULE, 'prefixed', 'passed'),
    createFinding(DOCUMENTED_RULE, 'flat', 'failed'),
  ]);
  assert.equal(results.rules.find(({ id }) => id === DOCUMENTED_RULE)?.verdict, 'failed');
});

test("a rule's result lists the capabilities that its checks lacked, even if some checks passed", () => {
  const missing = createFinding(DOCUMENTED_RULE, 'flat', 'not-testable', { missing: ['token.reader'] });
  assert.equal(
    aggregateCells(DOCUMENTED_RULE, createSmallResults([missing])).flat?.reason,
    'the target does not provide token.reader (tokens.reader in the profile)',
  );
  assert.deepEqual(
    aggregateCells(DOCUMENTED_RULE, createSmallResults([missing, createFinding(DOCUMENTED_RULE, 'flat', 'passed')])).flat?.missing,
    ['token.reader'],
  );
});

test('a rule is tested in only one path form if its operations have the same path in both path forms', () => {
  assert.equal(aggregateCells(ONE_PATH_RULE).flat?.verdict, 'not-applicable');
  assert.equal(aggregateCells(ONE_PATH_RULE).flat?.reason, "the rule's path is the same in both path forms");
});

test('a rule without checks is not testable', () => {
  assert.deepEqual(aggregateCells(DOCUMENTED_RULE).flat, {
    verdict: 'not-testable',
    reason: 'the suite has no check for this rule',
    missing: [],
    checks: [],
  });
});

test('if a profile excludes a rule in one path form, the rule is not applicable in that form', () => {
  const notApplicable = [{ rule: DOCUMENTED_RULE, form: 'flat' as const, reason: 'the flat paths have no list operations' }];
  const findings = [createFinding(DOCUMENTED_RULE, 'prefixed', 'passed'), createFinding(DOCUMENTED_RULE, 'flat', 'failed')];
  const [rule] = aggregate({ rules: smallScope.filter(({ id }) => id === DOCUMENTED_RULE), columns: PATH_FORMS, findings, notApplicable });
  assert.equal(rule?.cells.flat?.reason, 'the flat paths have no list operations');
  assert.equal(rule?.verdict, 'passed');
});

test('observations are grouped by decision and value', () => {
  const seen = [
    { decision: 'b', value: 409, form: 'flat' as const },
    { decision: 'b', value: 409, form: 'prefixed' as const },
    { decision: 'a', value: true, form: 'flat' as const },
    { decision: 'b', value: 422, form: 'flat' as const },
  ];
  assert.deepEqual(groupObservations(seen), [
    { decision: 'a', value: true, forms: ['flat'] },
    { decision: 'b', value: 409, forms: ['prefixed', 'flat'] },
    { decision: 'b', value: 422, forms: ['flat'] },
  ]);
});

test('the suite tests only documented and implied rules, and no advice', () => {
  assert.ok(rulesInScope.length > 150);
  assert.deepEqual(new Set(rulesInScope.map(({ level }) => level)), new Set(['documented', 'implied']));
});
