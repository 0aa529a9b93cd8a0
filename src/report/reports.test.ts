import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Results } from '../contract/generated/results.ts';
import { compileSchema } from '../contract/validators.ts';
import { assertHarmless, listPropertyNames, makeHostile } from '../testing/hostile-text.ts';
import { formatHtmlReport } from './html.ts';
import { formatJunitReport } from './junit.ts';
import { formatMarkdownReport } from './markdown.ts';
import { toTerminalText } from './printable.ts';
import { parseResults } from './read-results.ts';
import schema from './results.schema.json' with { type: 'json' };
import { createRunView } from './run-view.ts';
import { formatTerminalSummary } from './terminal.ts';
import {
  createFinding,
  createSmallResults,
  DOCUMENTED_RULE,
  hostileFailure,
  IMPLIED_RULE,
  ONE_PATH_RULE,
  passedFindings,
} from './testing/small-results.ts';
import { writeReports } from './write-reports.ts';

const results = createSmallResults(
  [...passedFindings, createFinding(DOCUMENTED_RULE, 'flat', 'failed', hostileFailure), createFinding(IMPLIED_RULE, 'flat', 'failed')],
  {
    observations: [{ decision: 'assignments.create.duplicate', value: 409, forms: ['flat'] }],
    leftovers: ['https://api.example.com/left'],
  },
);
const failureReasons = ['documented rules failed: 1'];

test("a run's results match the schema, and reading the results does not change them", () => {
  const { rules, ...facts } = parseResults(JSON.stringify(results), 'results.json');
  assert.deepEqual(JSON.parse(JSON.stringify(results)), { ...facts, rules });
});

test('if several rules are not testable for the same reason, the terminal shows the reason once', () => {
  const reason = 'a receiver that the target can reach: a delivery to http://192.0.2.1:9123 failed';
  const untested = createSmallResults(
    passedFindings.map((each) => ({ ...each, check: { ...each.check, verdict: 'not-testable', reason } })),
  );
  const text = formatTerminalSummary(createRunView(untested), { colour: false });
  assert.match(
    text,
    /Not fully tested: other reasons\n {2}3 rules\n {4}a receiver that the target can reach: a delivery to http:\/\/192\.0\.2\.1:9123 failed\n/,
  );
});

test('the reports count the passed rules that have a bounded check: one that passes if nothing arrives within a time limit', () => {
  const bounded = createSmallResults([...passedFindings, createFinding(DOCUMENTED_RULE, 'flat', 'passed', { bounded: true })]);
  const line = 'Rules that passed because no forbidden event or response arrived while the suite waited: 1.';
  assert.ok(formatTerminalSummary(createRunView(bounded), { colour: false }).includes(`\n  ${line}\n`));
  assert.ok(formatMarkdownReport(createRunView(bounded)).includes(`\n\n${line}\n\n`));
  assert.equal(formatHtmlReport(createRunView(bounded)).split('one may arrive later').length, 2);
  assert.ok(!formatTerminalSummary(createRunView(results), { colour: false }).includes('while the suite waited'));
});

const partlyTestedResults = createSmallResults([
  ...passedFindings,
  createFinding(DOCUMENTED_RULE, 'flat', 'not-testable', { missing: ['token.reader'] }),
  createFinding(DOCUMENTED_RULE, 'flat', 'not-testable', { reason: 'the target did not repeat a delivery' }),
]);
const PARTLY_TESTED_LINE = 'not fully tested: missing token.reader; the target did not repeat a delivery';
const PARTLY_TESTED_REASON =
  'the target does not provide token.reader (tokens.reader in the profile); the target did not repeat a delivery';

test('every report shows which rules are partly tested, and which capabilities were missing', () => {
  const text = formatTerminalSummary(createRunView(partlyTestedResults), { colour: false });
  assert.ok(text.includes(`  ✓ ◐  ${DOCUMENTED_RULE}`) && text.includes(`\n        ${PARTLY_TESTED_LINE}\n`), text);
  assert.match(text, /documented {2}1 of 2 passed, 1 partly tested\n/);
  const markdown = formatMarkdownReport(createRunView(partlyTestedResults));
  assert.ok(markdown.includes('| documented | **1 of 2** | 0 | 0 | 1 | 0 | 0 |') && markdown.includes(`*${PARTLY_TESTED_LINE}*`), markdown);
  assert.ok(formatJunitReport(createRunView(partlyTestedResults)).includes(`<skipped message="partly-tested: ${PARTLY_TESTED_REASON}"/>`));
  assert.ok(formatHtmlReport(createRunView(partlyTestedResults)).includes(`flat: partly tested <small>${PARTLY_TESTED_REASON}</small>`));
});

test('the list of missing capabilities says that a profile cannot provide clock.advance', () => {
  const findings = [createFinding(DOCUMENTED_RULE, 'flat', 'not-testable', { missing: ['clock.advance'] })];
  const text = formatTerminalSummary(createRunView(createSmallResults(findings)), { colour: false });
  assert.match(text, /\n {2}clock\.advance +1 rule +no profile member: available only if the run starts its own kit\n/);
});

test('the summary names an answer that most failed rules show', () => {
  const exchange = (id: string, status = 500) => ({
    failure: {
      message: 'Expected 400.',
      exchange: { ...hostileFailure.failure!.exchange!, method: 'PUT', url: `https://api.example.com/x/${id}`, status },
    },
  });
  const rules = [DOCUMENTED_RULE, IMPLIED_RULE, ONE_PATH_RULE];
  const summarize = (findings: Parameters<typeof createSmallResults>[0]) =>
    formatTerminalSummary(createRunView(createSmallResults(findings)), { colour: false });
  const failing = rules.map((rule, index) =>
    createFinding(rule, rule === ONE_PATH_RULE ? 'prefixed' : 'flat', 'failed', exchange(`0${index}a`)),
  );
  assert.match(summarize(failing), /\n {2}In 3 of the 3 failed rules, PUT \/x\/… was answered with 500\. They may have the same cause\.\n/);
  assert.doesNotMatch(summarize([...failing.slice(1), createFinding(DOCUMENTED_RULE, 'flat', 'failed', exchange('1', 200))]), /same cause/);
});

test('the partly-tested verdict is added to version 1 results', () => {
  const old = JSON.stringify({ ...partlyTestedResults, version: 1 }).replaceAll('"partly-tested"', '"passed"');
  assert.deepEqual(parseResults(old, 'old.json').rules, JSON.parse(JSON.stringify(partlyTestedResults.rules)));
});

test('version 2 results, which have `forms` instead of `columns`, can be read', () => {
  const { columns, ...others } = results;
  const old = JSON.stringify({ ...others, forms: columns, version: 2 });
  assert.deepEqual(parseResults(old, 'old.json'), JSON.parse(JSON.stringify(results)));
});

const unreadableFiles: [string, RegExp][] = [
  ['{', /x\.json: The file is not JSON/],
  ['{"results": []}', /x\.json: The file is not a conformance run's results\.json/],
  [JSON.stringify({ ...results, version: 4 }), /format version 4, but xpk reads only versions 1 to 3/],
  [JSON.stringify({ ...results, rules: [{}] }), /x\.json: \/rules\/0 must have/],
];
for (const [text, reason] of unreadableFiles) {
  test(`a file that is not a results.json is refused: ${text.slice(0, 20)}`, () =>
    assert.throws(() => parseResults(text, 'x.json'), reason));
}

test('the terminal shows every rule, each failure with its rule and message, and the totals', () => {
  const text = formatTerminalSummary(createRunView(results, { failureReasons }), { colour: false });
  assert.match(text, /✓ ✗ {2}assignments\.list\.filter-required/);
  assert.match(text, /\n {2}assignments\.list\.filter-required {2}flat\n.*\n {4}Expected 400\./);
  assert.match(text, /documented {2}1 of 2 passed, 1 failed\n {2}implied {5}0 of 1 passed, 1 failed/);
  assert.match(text, /Not removed from the target\n {2}https:\/\/api\.example\.com\/left/);
});

test('above the marks, the terminal names the columns', () => {
  const text = formatTerminalSummary(createRunView(results), { colour: false });
  assert.match(text, /\n {2}prefixed paths\n {2}│ flat paths\n {2}✓ ✗ {2}assignments/);
});

test('the terminal shows the failures first, and after them what to do next', () => {
  const text = formatTerminalSummary(createRunView(results, { failureReasons }), { colour: false });
  assert.match(text, /^\nConformance of [^\n]*\n\nFailed\n/);
  assert.ok(
    text.endsWith(`\n\n  To test only the failed rules, repeat the command and add: --rule ${DOCUMENTED_RULE} ${IMPLIED_RULE}`),
    text,
  );
});

test('a summary of many rules counts them and names the slowest, unless it is verbose', () => {
  const [first] = results.rules;
  const slow = { title: 'waits', verdict: 'passed', durationMs: 12_340 } as const;
  const many = Array.from({ length: 400 }, (_, index): (typeof results.rules)[number] => ({
    ...first!,
    id: `users.rule-${index}`,
    resource: 'Users',
    verdict: index === 9 ? 'partly-tested' : 'passed',
    cells: { flat: { verdict: 'passed', missing: [], checks: index === 7 ? [slow] : [] } },
  }));
  const run = createRunView({ ...results, rules: many });
  const text = formatTerminalSummary(run, { colour: false });
  assert.match(text, /\n {2}Users {2}399 of 400 passed, 1 partly tested\n\nSlowest rules\n {3}12\.3 s {2}users\.rule-7\n/);
  assert.doesNotMatch(text, /users\.rule-8/);
  assert.match(formatTerminalSummary(run, { colour: false, verbose: true }), /users\.rule-8 /);
});

test('text from the target cannot control the terminal or a CI runner in any report, and the JSON report keeps its true value', async (t) => {
  const check = compileSchema(schema);
  const validate = (value: unknown) => (check(value) ? [] : (check.errors ?? []).map(({ instancePath: pointer }) => ({ pointer })));
  const hostile = makeHostile(JSON.parse(JSON.stringify(results)), listPropertyNames(schema), validate) as Results;
  const folder = await mkdtemp(join(tmpdir(), 'xpk-reports-'));
  const printed: string[] = [];
  t.mock.method(console, 'log', (text: string) => void printed.push(toTerminalText(text)));
  await writeReports(hostile, { folder, strict: false, makesRunFail: () => true, known: [], json: false, verbose: true });
  assert.ok(assertHarmless(printed.join('\n')));
  for (const name of await readdir(folder)) assert.ok(assertHarmless(await readFile(join(folder, name), 'utf8')), name);
  const { verdicts: _, requirements, ...saved } = JSON.parse(await readFile(join(folder, 'results.json'), 'utf8'));
  const { requirements: given, ...others } = hostile;
  assert.notDeepEqual(requirements, given);
  assert.deepEqual(saved, others);
  await rm(folder, { recursive: true });
});

test("the reports mark an observed value that is not the kit's default or not one of the decision's alternatives", () => {
  const createObservations = (value: number) => [{ decision: 'assignments.create.duplicate', value, forms: ['flat' as const] }];
  const createReports = (value: number) => {
    const all = createSmallResults(passedFindings, { observations: createObservations(value) });
    return [
      formatTerminalSummary(createRunView(all), { colour: false }),
      formatMarkdownReport(createRunView(all)),
      formatHtmlReport(createRunView(all)),
    ];
  };
  for (const report of createReports(418)) assert.match(report, /418 \(not one of the alternatives; the kit(?:'|&#39;)s default: 409\)/);
  for (const report of createReports(422)) assert.match(report, /422 \(the kit(?:'|&#39;)s default: 409\)/);
  for (const report of createReports(409)) assert.doesNotMatch(report, /not one of the alternatives|default: 409/);
});

test('the terminal marks a failure as known if it is in the baseline', () => {
  const text = formatTerminalSummary(createRunView(results, { tolerated: new Set([`${DOCUMENTED_RULE} flat`]) }), { colour: false });
  assert.match(text, /✓ ~ {2}assignments\.list\.filter-required/);
  assert.match(text, /known, in the baseline/);
});

test('values from the target never become markup in the HTML report', () => {
  const page = formatHtmlReport(createRunView(results, { failureReasons }));
  assert.equal(page.match(/<script>/g)?.length, 1);
  assert.ok(!page.includes('<img'));
  assert.ok(page.includes('&lt;script&gt;alert(3)&lt;/script&gt;'));
});

test('the HTML report loads no resources, and its Content-Security-Policy forbids loading', () => {
  const page = formatHtmlReport(createRunView(results, { failureReasons }));
  assert.doesNotMatch(page, /<link|<img|@import|url\(|src=["']/);
  assert.match(page, /default-src 'none'/);
});

test('the HTML report shows a failure and a command that repeats the failed request', () => {
  const page = formatHtmlReport(createRunView(results, { failureReasons }));
  assert.match(page, new RegExp(`id="${DOCUMENTED_RULE}"[^>]* open`));
  assert.ok(page.includes('curl -i &#39;https://api.example.com/x&#39;'));
});

test('the JUnit report shows a failed documented rule as a failure, and a failed implied rule as skipped', () => {
  const xml = formatJunitReport(createRunView(results));
  assert.match(xml, /<testsuite name="Assignments \(flat\)" tests="2" failures="1" errors="0" skipped="1">/);
  assert.match(xml, /<skipped message="implied rule failed/);
  assert.doesNotMatch(xml, /[^\P{Cc}\n]|<script/u);
});

test('values from the target cannot end a code block in the Markdown report', () => {
  assert.match(formatMarkdownReport(createRunView(results)), /````\nExpected 400\.[^`]*``` <script>/);
});

test('the reports end with the three missing capabilities that would make the most rules testable', () => {
  const createNotTestableFinding = (rule: string, ...missing: string[]) => createFinding(rule, 'prefixed', 'not-testable', { missing });
  const findings = [
    createNotTestableFinding(DOCUMENTED_RULE, 'token.reader', 'users.sort'),
    createNotTestableFinding(IMPLIED_RULE, 'write'),
    createNotTestableFinding(ONE_PATH_RULE, 'users', 'write', 'rate', 'numbers'),
  ];
  const all = createSmallResults([
    ...findings,
    createFinding(DOCUMENTED_RULE, 'flat', 'passed'),
    createFinding(IMPLIED_RULE, 'flat', 'passed'),
  ]);
  const sentence = 'With these capabilities, the run can probably test 2 more rules fully:';
  const capabilities = [
    'token.reader (tokens.reader in the profile)',
    'users.sort (users.sort in the profile)',
    'write (allow.write in the profile)',
  ];
  const terminal = formatTerminalSummary(createRunView(all), { colour: false });
  assert.ok(terminal.endsWith(`  ${sentence}\n${capabilities.map((each) => `    ${each}`).join('\n')}`), terminal);
  assert.ok(formatMarkdownReport(createRunView(all)).includes(`${sentence}\n\n- token`));
  assert.ok(formatHtmlReport(createRunView(all)).includes(`<p>${sentence} ${capabilities.join('; ')}</p>`));
  assert.ok(
    !formatTerminalSummary(createRunView(createSmallResults(passedFindings)), { colour: false }).includes('With these capabilities'),
  );
});
