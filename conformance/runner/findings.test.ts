import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckReport } from '../target/check-report.ts';
import { collectFindings, collectOtherFindings } from './findings.ts';

type CheckResult = Parameters<typeof collectFindings>[1];
const CHECK = { title: 'A list request without any filter gets 400.' };
const LOCATION = { type: 'place', description: 'rules/x.spec.ts:3' };
const RULE_ANNOTATION = { type: 'rule', description: 'assignments.list.filter-required' };

function createResult(members: Partial<CheckResult>, report: Partial<CheckReport> = {}): CheckResult {
  const sent = { type: 'report', description: JSON.stringify({ needed: [], optional: [], observed: [], others: [], ...report }) };
  const { annotations = [RULE_ANNOTATION, LOCATION], ...others } = members;
  return { status: 'passed', duration: 5, annotations: [...annotations, sent], errors: [], ...others };
}

const createCheck = (members: Partial<CheckResult>, report?: Partial<CheckReport>) =>
  collectFindings(CHECK, createResult(members, report), 'flat')[0]?.check;

const failures: [string, Partial<CheckResult>, Partial<CheckReport>, string][] = [
  ['a broken rule', { status: 'failed', errors: [{ message: 'RuleBroken: Expected 400.' }] }, { broken: 'Expected 400.' }, 'failed'],
  ['an error that mentions RuleBroken', { status: 'failed', errors: [{ message: 'Error: RuleBroken happened' }] }, {}, 'error'],
  ['a timeout', { status: 'timedOut', errors: [{ message: 'Test timeout of 30000ms exceeded.' }] }, {}, 'error'],
  ['a failure without an error', { status: 'failed', errors: [] }, {}, 'error'],
];
for (const [what, members, report, verdict] of failures)
  test(`a check that ends with ${what} has the verdict ${verdict}`, () => assert.equal(createCheck(members, report)?.verdict, verdict));

test('the message is that of the broken rule, or that of another error and its cause', () => {
  const errors = [{ message: 'TypeError: fetch failed', cause: { message: 'ECONNRESET' } }];
  assert.equal(createCheck({ status: 'failed', errors }, { broken: 'Expected 400.' })?.failure?.message, 'Expected 400.');
  assert.equal(createCheck({ status: 'failed', errors })?.failure?.message, 'TypeError: fetch failed (ECONNRESET)');
});

test('the finding of a check that was skipped contains the reason', () => {
  const skipped = { verdict: 'not-testable', missing: ['write', 'numbers'] } as const;
  const { title: _, durationMs: __, ...rest } = createCheck({ status: 'skipped' }, { skipped })!;
  assert.deepEqual(rest, { place: 'rules/x.spec.ts:3', ...skipped });
  assert.equal(createCheck({ status: 'skipped' })?.reason, 'the check was skipped');
});

test('a check is bounded only if it passed', () => {
  assert.equal(createCheck({}, { bounded: true })?.bounded, true);
  assert.equal(createCheck({})?.bounded, undefined);
  assert.equal(createCheck({ status: 'failed' }, { bounded: true, broken: 'Expected nothing.' })?.bounded, undefined);
});

test('a check of two rules has a finding for each rule, but none if it was interrupted', () => {
  const annotations = [RULE_ANNOTATION, { type: 'rule', description: 'assignments.list.value-needs-type' }];
  assert.equal(collectFindings(CHECK, createResult({ annotations }), 'flat').length, 2);
  assert.deepEqual(collectFindings(CHECK, createResult({ status: 'interrupted' }), 'flat'), []);
});

test('if a passed check reports that another rule is broken, collectOtherFindings returns a failed finding for that rule', () => {
  const other = { rule: 'http.problem.title', where: 'every refusal of getUser', message: 'Expected a title.', traceId: 't' } as const;
  const [found, ...more] = collectOtherFindings(createResult({}, { others: [other] }), 'flat');
  assert.equal(more.length, 0);
  assert.equal(found?.rule, 'http.problem.title');
  assert.equal(found?.check.title, 'An error body contains a title: every refusal of getUser.');
  assert.deepEqual([found?.check.verdict, found?.check.failure], ['failed', { message: 'Expected a title.', traceId: 't' }]);
});

test('with --verify, a check that failed before it was repeated is flaky, whether it then passed or was not testable', () => {
  const exchange = { method: 'GET', url: '/x', requestHeaders: {}, status: 200, headers: {}, text: '' };
  const report = { withdrawn: 'Expected 400.', evidence: { exchange } };
  for (const status of ['passed', 'skipped'] as const) {
    const [finding] = collectFindings(CHECK, createResult({ status }, report), 'flat', true);
    assert.equal(finding?.check.verdict, 'flaky');
    assert.deepEqual(finding?.check.failure, { message: 'Failed at first, and not when it was repeated.\nExpected 400.', exchange });
    assert.notEqual(createCheck({ status }, report)?.verdict, 'flaky');
  }
});
