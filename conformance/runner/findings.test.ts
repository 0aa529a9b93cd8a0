import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROKEN_RULE_ATTACHMENT } from '../target/broken-rule.ts';
import { collectFindings, collectOtherFindings, readObservations } from './findings.ts';

type CheckResult = Parameters<typeof collectFindings>[1];
const CHECK = { title: 'A list request without any filter gets 400.' };
const LOCATION = { type: 'place', description: 'rules/x.spec.ts:3' };
const RULE_ANNOTATION = { type: 'rule', description: 'assignments.list.filter-required' };

function createResult(members: Partial<CheckResult>): CheckResult {
  return { status: 'passed', duration: 5, annotations: [RULE_ANNOTATION, LOCATION], errors: [], attachments: [], ...members };
}

function createCheck(members: Partial<CheckResult>) {
  return collectFindings(CHECK, createResult(members), 'flat')[0]?.check;
}

const failures: [string, Partial<CheckResult>, string][] = [
  ['RuleBroken', { status: 'failed', errors: [{ message: '\u001b[31mRuleBroken: Expected 400.\u001b[39m' }] }, 'failed'],
  ['a failed Playwright expectation', { status: 'failed', errors: [{ message: 'Error: expect(received).toBe(expected)' }] }, 'failed'],
  ['an error that mentions RuleBroken', { status: 'failed', errors: [{ message: 'Error: RuleBroken happened' }] }, 'error'],
  ['any other error', { status: 'failed', errors: [{ message: 'Error: the control API refused' }] }, 'error'],
  ['a timeout', { status: 'timedOut', errors: [{ message: 'Test timeout of 30000ms exceeded.' }] }, 'error'],
  ['a failure without an error', { status: 'failed', errors: [] }, 'error'],
];
for (const [what, members, verdict] of failures)
  test(`a check that ends with ${what} has the verdict ${verdict}`, () => assert.equal(createCheck(members)?.verdict, verdict));

test('the message omits the name RuleBroken and includes the cause of an error', () => {
  assert.equal(createCheck({ status: 'failed', errors: [{ message: 'RuleBroken: Expected 400.' }] })?.failure?.message, 'Expected 400.');
  assert.equal(
    createCheck({ status: 'failed', errors: [{ message: 'TypeError: fetch failed', cause: { message: 'ECONNRESET' } }] })?.failure?.message,
    'TypeError: fetch failed (ECONNRESET)',
  );
});

const skips: [string, object][] = [
  ['not-testable: token.reader', { verdict: 'not-testable', missing: ['token.reader'] }],
  ['not-testable: write,numbers', { verdict: 'not-testable', missing: ['write', 'numbers'] }],
  ['not-testable: the machine is too slow', { verdict: 'not-testable', reason: 'the machine is too slow' }],
  ['not-applicable: the body has no state', { verdict: 'not-applicable', reason: 'the body has no state' }],
  ['', { verdict: 'not-testable', reason: 'the check was skipped' }],
];
for (const [description, expected] of skips) {
  test(`the finding of a check that was skipped with "${description}" contains the reason`, () => {
    const {
      title: _,
      place,
      durationMs: __,
      ...rest
    } = createCheck({ status: 'skipped', annotations: [RULE_ANNOTATION, LOCATION, { type: 'skip', description }] })!;
    assert.deepEqual(rest, expected);
    assert.equal(place, 'rules/x.spec.ts:3');
  });
}

test('createCheck sets `bounded` for a check with the annotation `bounded` only if the check passed', () => {
  const annotations = [RULE_ANNOTATION, { type: 'bounded' }];
  assert.equal(createCheck({ annotations })?.bounded, true);
  assert.equal(createCheck({})?.bounded, undefined);
  assert.equal(createCheck({ annotations, status: 'failed', errors: [{ message: 'RuleBroken: Expected nothing.' }] })?.bounded, undefined);
});

test('a check of two rules has a finding for each rule, but none if it was interrupted', () => {
  const annotations = [RULE_ANNOTATION, { type: 'rule', description: 'assignments.list.value-needs-type' }];
  assert.equal(collectFindings(CHECK, createResult({ annotations }), 'flat').length, 2);
  assert.deepEqual(collectFindings(CHECK, createResult({ status: 'interrupted' }), 'flat'), []);
});

test('if a passed check reports that another rule is broken, collectOtherFindings returns a failed finding for that rule', () => {
  const body = Buffer.from('{"rule":"http.problem.title","where":"every refusal of getUser","message":"Expected a title.","traceId":"t"}');
  const attachments = [{ name: BROKEN_RULE_ATTACHMENT, contentType: 'application/json', body }];
  const [found, ...more] = collectOtherFindings(createResult({ attachments }), 'flat');
  assert.equal(more.length, 0);
  assert.equal(found?.rule, 'http.problem.title');
  assert.equal(found?.check.title, 'An error body contains a title: every refusal of getUser.');
  assert.deepEqual([found?.check.verdict, found?.check.failure], ['failed', { message: 'Expected a title.', traceId: 't' }]);
});

test('readObservations reads observed decisions from the annotations of a check', () => {
  const annotations = [RULE_ANNOTATION, { type: 'observed', description: '{"decision":"assignments.create.duplicate","value":409}' }];
  assert.deepEqual(readObservations(createResult({ annotations }), 'flat'), [
    { decision: 'assignments.create.duplicate', value: 409, form: 'flat' },
  ]);
});
