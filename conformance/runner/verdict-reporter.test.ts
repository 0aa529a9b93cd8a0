import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { FullConfig, FullResult, Suite, TestCase, TestResult } from '@playwright/test/reporter';
import type { Results } from '../../src/contract/generated/results.ts';
import { createTargetEnvironment } from '../target/target-settings.ts';
import { createRunEnvironment } from './run-settings.ts';
import VerdictReporter from './verdict-reporter.ts';

const RULE = 'assignments.list.filter-required';

function createCheck(title: string): TestCase {
  return {
    title,
    annotations: [{ type: 'rule', description: RULE }],
    titlePath: () => ['', 'prefixed', title],
  } as Partial<TestCase> as TestCase;
}

const createResult = (status: TestResult['status']) =>
  ({
    status,
    duration: 1,
    annotations: [{ type: 'rule', description: RULE }],
    errors: [],
  }) as Partial<TestResult> as TestResult;

async function report(t: TestContext, names: readonly string[], run: (reporter: VerdictReporter, checks: readonly TestCase[]) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'xpk-reporter-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const resultsFile = join(folder, 'results.json');
  const baseUrl = 'https://api.example.com';
  const target = { baseUrl, kind: 'foreign' } as const;
  const environment = {
    ...createTargetEnvironment({ baseUrl, headers: {}, timeoutMs: 1000, profile: {} }),
    ...createRunEnvironment({ resultsFile, target, forms: ['prefixed'], rules: [RULE], notApplicable: [], quiet: true }),
  };
  Object.assign(process.env, environment);
  const reporter = new VerdictReporter();
  for (const name of Object.keys(environment)) delete process.env[name];
  const checks = names.map(createCheck);
  reporter.onBegin({} as FullConfig, { allTests: () => checks } as Partial<Suite> as Suite);
  run(reporter, checks);
  await reporter.onEnd({ status: 'interrupted', startTime: new Date(0), duration: 1 } as FullResult);
  return (JSON.parse(readFileSync(resultsFile, 'utf8')) as Results).rules;
}

test('after an interruption, a rule whose checks have not all ended is only partly tested', async (t) => {
  const rules = await report(t, ['ended', 'interrupted', 'not started'], (reporter, checks) => {
    reporter.onTestEnd(checks[0]!, createResult('passed'));
    reporter.onTestEnd(checks[1]!, createResult('interrupted'));
  });
  assert.deepEqual(
    rules.map(({ cells }) => [cells.prefixed?.verdict, cells.prefixed?.reason, cells.prefixed?.checks.map(({ title }) => title)]),
    [['partly-tested', 'the run was interrupted before this check had ended', ['ended', 'interrupted', 'not started']]],
  );
});

test('a broken rule that the check of another rule reports is in the results, although it was not selected', async (t) => {
  const other = 'connections.only-changed';
  const description = JSON.stringify({ others: [{ rule: other, where: 'in a random sequence', message: 'Expected ACTIVE' }] });
  const rules = await report(t, ['ended'], (reporter, [check]) => {
    const passed = createResult('passed');
    reporter.onTestEnd(check!, { ...passed, annotations: [...passed.annotations, { type: 'report', description }] });
  });
  assert.deepEqual(
    rules.map(({ id, cells }) => [id, cells.prefixed?.verdict]),
    [
      [RULE, 'passed'],
      [other, 'failed'],
    ],
  );
});
