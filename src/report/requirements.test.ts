import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Check } from '../contract/generated/results.ts';
import { rules } from '../contract/generated/rules-table.ts';
import { formatHtmlReport } from './html.ts';
import { formatJunitReport } from './junit.ts';
import { formatMarkdownReport } from './markdown.ts';
import { applyRequirements, diffRequirements, listCurrentRules, type Requirements } from './requirements.ts';
import { createRunView } from './run-view.ts';
import { formatTerminalSummary } from './terminal.ts';
import { createFinding, createSmallResults, DOCUMENTED_RULE, ONE_PATH_RULE, passedFindings } from './testing/small-results.ts';
import { listFailureReasons } from './totals.ts';

const current = listCurrentRules();
const { [DOCUMENTED_RULE]: _, ...olderRules } = current;
const older: Requirements = {
  name: '2020-01',
  kit: '0.0.1',
  rules: { ...olderRules, [ONE_PATH_RULE]: { ...olderRules[ONE_PATH_RULE]!, level: 'implied' } },
};
const results = createSmallResults([
  ...passedFindings,
  createFinding(DOCUMENTED_RULE, 'flat', 'failed', { failure: { message: 'Expected 400.' } }),
  createFinding(ONE_PATH_RULE, 'prefixed', 'error', { failure: { message: 'No answer.' } }),
]);
const REASONS = { [DOCUMENTED_RULE]: 'newer than 2020-01', [ONE_PATH_RULE]: 'implied in 2020-01' };

test('rules that are newer than the requirements, or whose level was raised since, do not affect the exit status', () => {
  assert.equal(listFailureReasons(results, { strict: false }).length, 2);
  const applied = applyRequirements(results, older);
  assert.deepEqual(Object.fromEntries(applied.rules.flatMap(({ id, unscored }) => (unscored ? [[id, unscored]] : []))), REASONS);
  for (const strict of [false, true]) assert.deepEqual(listFailureReasons(applied, { strict }), []);
});

test('a rule that only newer checks do not pass does not affect the exit status', () => {
  const { text } = rules[DOCUMENTED_RULE];
  const findUnscored = (checks: readonly string[], ...failed: (readonly [title: string, members?: Partial<Check>])[]) => {
    const findings = failed.map(([title, members]) => createFinding(DOCUMENTED_RULE, 'flat', 'failed', { title, ...members }));
    const frozen = { ...older, rules: { ...current, [DOCUMENTED_RULE]: { ...current[DOCUMENTED_RULE]!, checks } } };
    const applied = applyRequirements(createSmallResults([...passedFindings, ...findings]), frozen);
    return applied.rules.find(({ id }) => id === DOCUMENTED_RULE)!.unscored;
  };
  const newCheck = `${text.replace(/\.$/, '')}: sorted.`;
  const isNewer = 'only checks newer than 2020-01 did not pass';
  assert.equal(findUnscored(['', 'unsorted'], [newCheck]), isNewer);
  assert.equal(findUnscored(['', 'sorted'], [newCheck]), undefined);
  assert.equal(findUnscored(['sorted'], [text]), isNewer);
  assert.equal(findUnscored([''], [newCheck], [text]), undefined);
  assert.equal(findUnscored([''], [newCheck, { incidental: true }]), undefined, 'no set lists what the exploration finds');
});

test('a rule that is part of the requirements fails the run', () => {
  const same = { ...older, rules: current };
  assert.deepEqual(listFailureReasons(applyRequirements(results, same), { strict: false }), listFailureReasons(results, { strict: false }));
});

test('every report marks what is not part of the requirements, and shows its failure apart from the others', () => {
  const run = createRunView(applyRequirements(results, older));
  assert.deepEqual([run.failed, run.erroneous], [[], []]);
  const title = 'Not part of the requirements 2020-01, and without effect on the exit status';
  const terminal = formatTerminalSummary(run, { colour: false });
  for (const text of [terminal, formatMarkdownReport(run)]) {
    assert.ok(text.includes(title), text);
    assert.ok(text.includes('Expected 400.') && !/^(## )?Failed$/m.test(text));
  }
  for (const [id, reason] of Object.entries(REASONS)) {
    for (const text of [terminal, formatMarkdownReport(run)])
      assert.match(text, new RegExp(`${id.replaceAll('.', '\\.')}.*not scored: ${reason}`));
    assert.match(formatJunitReport(run), new RegExp(`<skipped message="not part of the requirements \\(${reason}\\)`));
  }
  assert.doesNotMatch(formatJunitReport(run), /<(failure|error)/);
  assert.ok(formatHtmlReport(run).includes('<span class="chip">not scored: newer than 2020-01</span>'));
});

test("results name the requirements and their digest, which without a name is that of the kit's own rules", () => {
  const own = applyRequirements(results).requirements;
  assert.deepEqual(Object.keys(own!), ['digest']);
  const shuffled = { ...older, rules: Object.fromEntries(Object.entries(current).reverse()) };
  assert.deepEqual(applyRequirements(results, shuffled).requirements, { name: '2020-01', digest: own!.digest });
  assert.notEqual(applyRequirements(results, older).requirements!.digest, own!.digest);
});

test('the differences of two sets are the rules that were added, removed, or have another level or text, with the reasons', () => {
  const before = { kit: '1', rules: { a: rule('documented', 'A.'), b: rule('implied', 'B.'), c: rule('documented', 'C.', '', 'once') } };
  const after = { kit: '2', rules: { b: rule('documented', 'Bb.'), c: rule('documented', 'C.', '', 'twice'), d: rule('implied', 'D.') } };
  assert.deepEqual(diffRequirements(before, after, { a: 'It was wrong.' }), [
    { rule: 'a', change: 'removed', before: 'documented: A.', why: 'It was wrong.' },
    { rule: 'b', change: 'level', before: 'implied', after: 'documented' },
    { rule: 'b', change: 'text', before: 'B.', after: 'Bb.' },
    { rule: 'c', change: 'checks', before: 'once', after: 'twice' },
    { rule: 'd', change: 'added', after: 'implied: D.' },
  ]);
});

function rule(level: 'documented' | 'implied', text: string, ...checks: readonly string[]) {
  return { level, text, ...(checks.length > 0 && { checks }) };
}
