import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Results } from '../contract/generated/results.ts';
import { launchChromium } from '../oauth/server/testing/chromium.ts';
import { formatBadge } from './badge.ts';
import { formatMatrixPage } from './html/matrix.ts';
import { createMatrix } from './matrix.ts';
import {
  createFinding,
  createSmallResults,
  DOCUMENTED_RULE,
  hostileFailure,
  IMPLIED_RULE,
  ONE_PATH_RULE,
  passedFindings,
} from './testing/small-results.ts';

const createRun = (version: string, day: string, findings: Parameters<typeof createSmallResults>[0], members: Partial<Results> = {}) =>
  createSmallResults(findings, {
    target: { baseUrl: 'https://api.example.com', kind: 'foreign', name: 'Staging', version },
    startedAt: `2026-01-${day}T03:04:05.678Z`,
    ...members,
  });
const failing = [
  ...passedFindings,
  createFinding(DOCUMENTED_RULE, 'flat', 'failed', hostileFailure),
  createFinding(DOCUMENTED_RULE, 'prefixed', 'failed', hostileFailure),
];
const runs = [createRun('2.2.0', '03', passedFindings), createRun('2.0.0', '01', passedFindings), createRun('2.1.0', '02', failing)];

test('the runs of a target are sorted by date, and each names the rules that it broke and fixed since the run before it', () => {
  const [target, ...others] = createMatrix([...runs, createSmallResults([])]);
  assert.deepEqual([target?.name, others.map(({ name }) => name)], ['Staging', ['https://api.example.com']]);
  const facts = target?.runs.map(({ version, previous, succeeded, broken, fixed }) => [
    version,
    previous,
    succeeded,
    broken.map(({ rule, columns }) => `${rule} ${columns}`),
    fixed.map(({ rule }) => rule),
  ]);
  assert.deepEqual(facts, [
    ['2.0.0', undefined, true, [], []],
    ['2.1.0', '2.0.0', false, [`${DOCUMENTED_RULE} prefixed,flat`], []],
    ['2.2.0', '2.1.0', true, [], [DOCUMENTED_RULE]],
  ]);
});

test('a version breaks no rule that was not tested before, or that is not part of the requirements', () => {
  const partial = createRun('2.0.0', '01', [...passedFindings, createFinding(ONE_PATH_RULE, 'prefixed', 'not-testable')]);
  const without = { ...partial, rules: partial.rules.filter(({ id }) => id !== IMPLIED_RULE) };
  const next = createRun('2.1.0', '02', [
    ...failing,
    createFinding(IMPLIED_RULE, 'flat', 'failed'),
    createFinding(ONE_PATH_RULE, 'prefixed', 'passed'),
  ]);
  const unscored = {
    ...next,
    rules: next.rules.map((rule) => (rule.id === DOCUMENTED_RULE ? { ...rule, unscored: 'newer than 2025-12' } : rule)),
  };
  const [first, second] = createMatrix([without, unscored])[0]!.runs;
  assert.deepEqual([first?.broken, second?.broken], [[], []]);
  assert.deepEqual(new Set(second?.other.map(({ rule }) => rule)), new Set([IMPLIED_RULE, DOCUMENTED_RULE, ONE_PATH_RULE]));
  assert.equal(second?.totals.inScope, 2);
});

test('a run whose version is not known is called by its date', () => {
  const [{ runs: named }] = createMatrix([createSmallResults(passedFindings)]) as [ReturnType<typeof createMatrix>[number]];
  assert.equal(named[0]?.version, '2026-01-02');
});

test('the page begins with the version that broke a rule, and shows the rule, its verdicts and its message', async () => {
  await using chromium = await launchChromium();
  const page = await chromium.newPage({ viewport: { width: 390, height: 844 } });
  await page.setContent(formatMatrixPage(createMatrix(runs)));
  const headline = page.locator('.headline');
  assert.match(
    await headline.innerText(),
    /^2\.2\.0, the newest version, breaks no documented rule: 3 of 3 rules passed, 0 failed\.\s+2\.1\.0 broke 1 rule that passed in 2\.0\.0: \S+ \(fixed in 2\.2\.0\)/,
  );
  assert.equal(await page.locator('.matrix .broke').first().innerText(), '2/3 ▼1');
  const changes = page.locator('.changes[open]');
  assert.equal(await changes.count(), 1);
  assert.match(await changes.innerText(), /2\.1\.0 after 2\.0\.0: broke 1 rule/);
  assert.match(await changes.innerText(), /Expected 400\.[\s\S]*assignments\.list\.filter-required/);
  // A string, because the project's types do not include the DOM.
  const cutOff = await page.evaluate(`
    for (const details of document.querySelectorAll('details')) details.open = true;
    [...document.querySelectorAll('body *:not(.matrix *)')]
      .filter((each) => each.getBoundingClientRect().right > 390).map((each) => each.outerHTML.slice(0, 100));
  `);
  assert.deepEqual(cutOff, []);
});

test('values from a target cannot add markup to the page or to a badge', () => {
  const target = createMatrix([createRun('"><script>alert(1)</script>', '01', failing, {})]);
  for (const text of [formatMatrixPage(target), formatBadge(target[0]!.runs[0]!)]) assert.ok(!text.includes('<script>alert'));
});

test('a badge names the version and the number of rules, in green only if no documented rule made the run fail', () => {
  const [{ runs: all }] = createMatrix(runs) as [ReturnType<typeof createMatrix>[number]];
  const [, broken, fixed] = all.map(formatBadge);
  assert.match(broken!, /aria-label="conformance: 2\.1\.0: 2 of 3"/);
  assert.deepEqual(
    [broken, fixed].map((text) => text?.includes('#1d7f4e')),
    [false, true],
  );
});
