import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestError, TestResult, TestRun } from '@playwright/test/reporter';
import type { Results } from '../../src/contract/generated/results.ts';
import { aggregate, groupObservations, type RuleCheck } from '../../src/report/aggregate.ts';
import { toPrintable } from '../../src/report/printable.ts';
import { RESULTS_VERSION } from '../../src/report/read-results.ts';
import { rulesInScope } from '../../src/report/scope.ts';
import { LEFT_BEHIND_PREFIX } from '../target/cleanup.ts';
import { hideSecrets } from '../target/secrets.ts';
import { readTargetSettings } from '../target/target-settings.ts';
import { collectFindings, collectOtherFindings, collectUnfinishedFindings, readObservations } from './findings.ts';
import { createProgress, type Failure, type Progress } from './progress.ts';
import { readPathForm } from './repetition.ts';
import { readRunSettings } from './run-settings.ts';

const { version } = createRequire(import.meta.url)('experience-provider-kit/package.json') as { version: string };

/** Converts check results to verdicts on rules, and writes results.json. */
export default class VerdictReporter implements Reporter {
  private readonly run = readRunSettings(process.env);
  private readonly secrets = readTargetSettings(process.env).secrets ?? [];
  private readonly findings: RuleCheck[] = [];
  private readonly observations: Parameters<typeof groupObservations>[0][number][] = [];
  private readonly leftovers: string[] = [];
  private readonly errors: string[] = [];
  private progress: Progress | undefined;
  private interrupted = false;
  private readonly unfinished = new Set<TestCase>();

  printsToStdio(): boolean {
    return true;
  }

  async preprocess({ suite, testRun }: { suite: Suite; testRun: TestRun }): Promise<void> {
    for (const test of suite.allTests()) if (!this.isSelected(test)) testRun.exclude(test);
  }

  private isSelected(test: TestCase): boolean {
    const { rules, observing = rules === undefined, forms, notApplicable } = this.run;
    const form = readPathForm(test.titlePath());
    if (!forms.includes(form)) return false;
    const ruleIds = test.annotations.flatMap(({ type, description }) =>
      type === 'rule' && description !== undefined ? [description] : [],
    );
    // A check without rules observes decisions. It runs with one path form, because the decisions are the same for both.
    if (ruleIds.length === 0) return observing && form === forms[0];
    return ruleIds.some((id) => {
      const rule = rulesInScope.find((candidate) => candidate.id === id);
      if (rule === undefined || (rules && !rules.includes(rule.id))) return false;
      if (notApplicable.some((entry) => entry.rule === id && (entry.form === undefined || entry.form === form))) return false;
      return rule.columns.includes(form) || forms.length === 1;
    });
  }

  onBegin(_: FullConfig, suite: Suite): void {
    for (const test of suite.allTests()) this.unfinished.add(test);
    if (!this.run.quiet) this.progress = createProgress(suite.allTests().length, process.stderr, () => performance.now());
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const form = readPathForm(test.titlePath());
    const findings = collectFindings(test, result, form);
    const others = collectOtherFindings(result, form).filter((finding) => !this.isKnown(finding));
    this.findings.push(...findings, ...others);
    this.observations.push(...readObservations(result, form));
    this.interrupted ||= result.status === 'interrupted';
    if (result.status !== 'interrupted') this.unfinished.delete(test);
    // Print the failure of a check without rules, because the failure appears in no verdict.
    if (findings.length === 0 && result.status === 'failed')
      this.printText(
        `The check "${test.title}" failed, so its decision was not observed: ${stripVTControlCharacters(result.errors[0]?.message ?? '')}`,
      );
    this.progress?.advance(`${findings[0]?.rule ?? test.title} (${form})`, findFailure([...findings, ...others]));
  }

  private isKnown({ rule, column, check: { title } }: RuleCheck): boolean {
    return this.findings.some((finding) => finding.rule === rule && finding.column === column && finding.check.title === title);
  }

  onStdErr(chunk: string | Buffer): void {
    const lines = chunk.toString().split('\n');
    this.leftovers.push(
      ...lines.filter((line) => line.startsWith(LEFT_BEHIND_PREFIX)).map((line) => line.slice(LEFT_BEHIND_PREFIX.length)),
    );
    const text = lines
      .filter((line) => !line.startsWith(LEFT_BEHIND_PREFIX))
      .join('\n')
      .trim();
    if (text !== '') this.printText(text);
  }

  private printText(text: string): void {
    const line = toPrintable(`${hideSecrets(text, this.secrets)}\n`);
    if (this.progress) this.progress.writeAbove(line);
    else process.stderr.write(line);
  }

  onError(error: TestError): void {
    const place = error.location ? `${error.location.file}:${error.location.line}: ` : '';
    this.errors.push(stripVTControlCharacters(place + (error.message ?? error.value ?? 'unknown error')));
  }

  async onEnd({ status, startTime, duration }: FullResult): Promise<void> {
    this.progress?.end();
    const { target, forms, rules: selected, notApplicable, resultsFile } = this.run;
    const interrupted = this.interrupted || status === 'interrupted';
    const rules = rulesInScope.filter(({ id }) => selected === undefined || selected.includes(id));
    const unfinished = [...this.unfinished].flatMap((test) => collectUnfinishedFindings(test, readPathForm(test.titlePath())));
    const results: Results = {
      format: 'experience-provider-kit/conformance-results',
      version: RESULTS_VERSION,
      kit: version,
      target,
      startedAt: startTime.toISOString(),
      durationMs: Math.round(duration),
      interrupted,
      columns: forms,
      partial: selected !== undefined,
      rules: aggregate({ rules, columns: forms, findings: [...this.findings, ...unfinished], notApplicable, interrupted }),
      observations: groupObservations(this.observations),
      leftovers: this.leftovers,
      errors: this.errors,
    };
    writeFileSync(resultsFile, `${JSON.stringify(hideSecrets(results, this.secrets), undefined, 2)}\n`);
  }
}

function findFailure(findings: readonly RuleCheck[]): Failure | undefined {
  const levels = findings.flatMap(({ rule, check }) =>
    check.verdict === 'failed' ? [rulesInScope.find(({ id }) => id === rule)?.level] : [],
  );
  if (levels.length > 0) return levels.includes('documented') ? 'documented' : 'implied';
  return findings.some(({ check }) => check.verdict === 'error') ? 'error' : undefined;
}
