import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, Suite, TestCase, TestError, TestResult, TestRun } from '@playwright/test/reporter';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { type CheckReport, readReport } from '../../target/check-report.ts';
import { findMutant } from './mutants.ts';
import { readCheck, readPlan, showsBreach } from './plan.ts';
import { STUB_SERVERS } from './stub-servers.ts';

export interface Outcome {
  readonly check: string;
  readonly rule: RuleId;
  readonly server: string;
  /**
   * `error`: the check failed for another reason than a broken rule. `redundant`: the check was skipped, because it would prove nothing
   * new.
   */
  readonly ended: 'killed' | 'passed' | 'error' | 'not-testable' | 'not-applicable' | 'redundant';
  readonly message: string;
}

export interface MutantResults {
  readonly outcomes: readonly Outcome[];
  /** Errors outside checks, such as a file that cannot be loaded. */
  readonly errors: readonly string[];
}

export const RESULTS_FILE = 'outcomes.json';

export default class MutantReporter implements Reporter {
  private readonly outcomes: Outcome[] = [];
  private readonly errors: string[] = [];
  private total = 0;

  printsToStdio(): boolean {
    return true;
  }

  async preprocess({ suite, testRun }: { suite: Suite; testRun: TestRun }): Promise<void> {
    const checkedPairs = new Set<string>();
    for (const test of suite.allTests()) {
      const { rule, server } = listRuleIds(test);
      const isFirst = !checkedPairs.has(`${server} ${rule}`);
      // To save time, test a stub server with only the first check of each rule.
      if (STUB_SERVERS.some(({ name }) => name === server)) checkedPairs.add(`${server} ${rule}`);
      if (isFirst) this.total += 1;
      else testRun.exclude(test);
    }
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const [ids, report] = [listRuleIds(test), readReport(result)];
    const mutant = findMutant(ids.server);
    const why = report.skipped?.reason ?? report.skipped?.missing?.join(', ');
    const ended = showsBreach(report, mutant) ? 'killed' : mutant?.shownBy === undefined ? determineOutcome(result, report) : 'passed';
    this.outcomes.push({ ...ids, ended, message: result.errors[0]?.message ?? why ?? result.status });
    if (process.stderr.isTTY) process.stderr.write(`\r  ${this.outcomes.length} of ${this.total}`);
  }

  onError({ message, value }: TestError): void {
    this.errors.push(message ?? value ?? 'unknown error');
  }

  onEnd(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    const results: MutantResults = { outcomes: this.outcomes, errors: this.errors };
    writeFileSync(join(readPlan().folder, RESULTS_FILE), JSON.stringify(results));
  }
}

function determineOutcome({ status }: TestResult, { skipped }: CheckReport): Outcome['ended'] {
  if (status !== 'skipped') return status === 'passed' ? 'passed' : 'error';
  // A redundant check is skipped before it has a report.
  if (skipped === undefined) return 'redundant';
  return skipped.verdict === 'not-applicable' ? 'not-applicable' : 'not-testable';
}

function listRuleIds(test: TestCase): Pick<Outcome, 'check' | 'rule' | 'server'> {
  const rule = test.annotations.find(({ type }) => type === 'rule')?.description as RuleId;
  return { ...readCheck(test.titlePath()), rule };
}
