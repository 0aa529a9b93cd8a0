import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Results } from '../contract/generated/results.ts';
import { formatHtmlReport } from '../report/html.ts';
import { formatJunitReport } from '../report/junit.ts';
import { formatMarkdownReport } from '../report/markdown.ts';
import { parseResults } from '../report/read-results.ts';
import { createRunView } from '../report/run-view.ts';
import { formatTerminalSummary } from '../report/terminal.ts';
import { listFailureReasons } from '../report/totals.ts';
import type { RuleOutcome } from './outcome.ts';
import { type CheckRun, listRulesInScope, toResults } from './results.ts';

const createResults = (outcomes: readonly RuleOutcome[], members: Partial<CheckRun> = {}) =>
  toResults({
    check: 'webhook',
    url: 'http://127.0.0.1:3000/webhooks',
    outcomes,
    startedAt: new Date('2026-01-02T03:04:05.678Z'),
    durationMs: 1234,
    ...members,
  });
const createOutcome = (rule: RuleOutcome['rule'], verdict: RuleOutcome['verdict'], members: Partial<RuleOutcome> = {}): RuleOutcome => ({
  rule,
  title: 'An older event arrives after a newer one.',
  verdict,
  timeline: [],
  ...members,
});
const createAllOutcomes = (verdict: RuleOutcome['verdict']) =>
  listRulesInScope('webhook').map(({ id }) => createOutcome(id as RuleOutcome['rule'], verdict));

const renderReports = (results: Results, reasons: readonly string[] = []) => [
  formatTerminalSummary(createRunView(results, { failureReasons: reasons }), { colour: false }),
  formatMarkdownReport(createRunView(results)),
  formatHtmlReport(createRunView(results, { failureReasons: reasons })),
];

const ADVICE_RULE = 'events.consumer.accepts-unknown-members';
const failedOutcome = createOutcome('events.consumer.discards-older', 'failed', {
  message: 'The endpoint applied an event that is older than the stored value.',
  timeline: [
    { at: '2026-01-02T03:04:05.100Z', by: 'service', text: 'sends experience.connection.activated' },
    { at: '2026-01-02T03:04:05.200Z', by: 'integration', text: 'shows INACTIVE', violation: true, request: { method: 'GET' } },
  ],
  replay: 'xpk check webhook http://127.0.0.1:3000/webhooks --replay x',
});

test('a check without outcomes passes no rule, and its run fails only with --strict', () => {
  const results = createResults([]);
  assert.deepEqual([...new Set(results.rules.map(({ verdict }) => verdict))], ['not-exercised']);
  assert.deepEqual(listFailureReasons(results, { strict: false }), []);
  const binding = results.rules.filter(({ level }) => level !== 'advice').length;
  assert.deepEqual(listFailureReasons(results, { strict: true }), [`rules were not exercised (--strict): ${binding}`]);
  const text = formatTerminalSummary(createRunView(results), { colour: false });
  assert.match(text, /documented {2}0 of \d+ passed, \d+ not exercised\n/);
  assert.match(text, /Nothing was tested\./);
  const strict = formatTerminalSummary(createRunView(results, { failureReasons: listFailureReasons(results, { strict: true }) }), {
    colour: false,
  });
  assert.match(strict, /The run failed: rules were not exercised/);
});

test('a rule is partly tested if some outcomes did not exercise it', () => {
  const rule = 'events.consumer.deduplicates';
  const results = createResults([
    createOutcome(rule, 'passed'),
    createOutcome(rule, 'not-exercised', { reason: 'no event was repeated later' }),
  ]);
  const found = results.rules.find(({ id }) => id === rule);
  assert.deepEqual([found?.verdict, found?.cells.integration?.reason], ['partly-tested', 'no event was repeated later']);
  const text = formatTerminalSummary(createRunView(results), { colour: false });
  assert.match(text, /No documented rule failed\. \d+ of \d+ rules were not fully tested\./);
});

test('advice that was not followed is listed and never fails a run', () => {
  const results = createResults([
    ...createAllOutcomes('passed').filter(({ rule }) => rule !== ADVICE_RULE),
    createOutcome(ADVICE_RULE, 'failed', { message: 'Answered 400.' }),
  ]);
  assert.deepEqual(listFailureReasons(results, { strict: true }), []);
  const text = formatTerminalSummary(createRunView(results), { colour: false });
  assert.match(text, /\nAdvice, which never fails a run\n\n {2}events\.consumer\.accepts-unknown-members\n.*\n {4}Answered 400\./);
  assert.doesNotMatch(text, /\nFailed\n/);
  assert.match(text, /\n {2}advice {6}2 of 3 followed, 1 not followed\n/);
  assert.match(
    formatJunitReport(createRunView(results), () => true),
    /<skipped message="advice was not followed: Answered 400\."\/>/,
  );
});

test('an incomplete run fails even if every rule passed, and every report says why', () => {
  const incomplete = '12 journal entries were lost before they were checked';
  const results = createResults(createAllOutcomes('passed'), { incomplete });
  const reasons = listFailureReasons(results, { strict: false });
  assert.deepEqual(reasons, [incomplete]);
  for (const report of [...renderReports(results, reasons), formatJunitReport(createRunView(results))])
    assert.ok(report.includes(`The run is incomplete: ${incomplete}.`), report);
});

test('every report shows the timeline of a failure, the entry that breaks the rule, and the command that repeats the attempt', () => {
  const results = createResults([failedOutcome]);
  assert.deepEqual(listFailureReasons(results, { strict: false }), ['documented rules failed: 1']);
  const lines = ['  03:04:05.100  delivery  sends experience.connection.activated', '✗ 03:04:05.200  endpoint  shows INACTIVE'];
  const texts = [
    formatTerminalSummary(createRunView(results), { colour: false }),
    formatMarkdownReport(createRunView(results)),
    formatJunitReport(createRunView(results)),
  ];
  for (const text of texts) for (const line of [...lines, 'To repeat it: xpk check webhook']) assert.ok(text.includes(line.trim()), text);
  const page = formatHtmlReport(createRunView(results));
  assert.ok(page.includes('<tr class="by-integration violation">'));
  assert.ok(page.includes('--replay x'));
});

test("a check's results match the schema", () => {
  const results = createResults([failedOutcome], { check: 'webhook', name: 'consumer', coverage: [] });
  assert.deepEqual(parseResults(JSON.stringify(results), 'results.json'), JSON.parse(JSON.stringify(results)));
});

test('the reports describe a missing command option as an option, not as a capability of the target', () => {
  const results = createResults([createOutcome('events.consumer.any-order', 'not-testable', { missing: ['--state-url'] })]);
  assert.equal(results.rules.find(({ id }) => id === 'events.consumer.any-order')?.cells.integration?.reason, 'not given: --state-url');
  const text = formatTerminalSummary(createRunView(results), { colour: false });
  assert.match(text, /Not fully tested: missing options\n {2}--state-url +1 rule +a command option\n/);
});

test('the reports show which documented answers a client received, and how to provoke the others', () => {
  const refusal = { operation: 'createExperienceConnection', text: 'A connection exists.', status: 409, next: ['read the connection'] };
  const coverage = [
    { ...refusal, met: 2 },
    { ...refusal, met: 0, status: 422, text: 'A field is missing.', provoke: 'xpk scenario run connections.create.required-field' },
  ];
  const results = createResults([], { check: 'client', coverage });
  const text = formatTerminalSummary(createRunView(results), { colour: false });
  assert.match(text, /the client received 1 of the 2 answers.*\n {2}createExperienceConnection {2}409 ✓ {3}422 –\n/);
  const never = '- createExperienceConnection 422: A field is missing. `xpk scenario run connections.create.required-field`';
  assert.ok(formatMarkdownReport(createRunView(results)).includes(never));
  const page = formatHtmlReport(createRunView(results));
  for (const part of ['1 of 2 documented answers received', 'read the connection', 'xpk scenario run connections.create.required-field'])
    assert.ok(page.includes(part), part);
});

test("the reports show a run's notes", () => {
  for (const page of renderReports(createResults([], { notes: ['localhost is not a public address.'] })))
    assert.ok(page.includes('localhost is not a public'));
});
