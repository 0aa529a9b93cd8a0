import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
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

test('after an interruption, a rule whose checks have not all ended is only partly tested', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'xpk-reporter-'));
  const resultsFile = join(folder, 'results.json');
  const baseUrl = 'https://api.example.com';
  const environment = {
    ...createTargetEnvironment({ baseUrl, headers: {}, timeoutMs: 1000, profile: {} }),
    ...createRunEnvironment({
      resultsFile,
      target: { baseUrl, kind: 'foreign' },
      forms: ['prefixed'],
      rules: [RULE],
      notApplicable: [],
      quiet: true,
    }),
  };
  Object.assign(process.env, environment);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const reporter = new VerdictReporter();
  for (const name of Object.keys(environment)) delete process.env[name];
  const checks = ['ended', 'interrupted', 'not started'].map(createCheck);
  reporter.onBegin({} as FullConfig, { allTests: () => checks } as Partial<Suite> as Suite);
  reporter.onTestEnd(checks[0]!, createResult('passed'));
  reporter.onTestEnd(checks[1]!, createResult('interrupted'));
  await reporter.onEnd({ status: 'interrupted', startTime: new Date(0), duration: 1 } as FullResult);
  const { rules } = JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
  assert.deepEqual(
    rules.map(({ cells }) => [cells.prefixed?.verdict, cells.prefixed?.reason, cells.prefixed?.checks.map(({ title }) => title)]),
    [['partly-tested', 'the run was interrupted before this check had ended', ['ended', 'interrupted', 'not started']]],
  );
});
