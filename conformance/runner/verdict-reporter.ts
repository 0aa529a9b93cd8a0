import { appendFileSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestError, TestResult, TestRun } from '@playwright/test/reporter';
import type { Results } from '../../src/contract/generated/results.ts';
import { aggregate, groupObservations, type RuleCheck } from '../../src/report/aggregate.ts';
import { toPrintable } from '../../src/report/printable.ts';
import { RESULTS_VERSION } from '../../src/report/read-results.ts';
import { rulesInScope } from '../../src/report/scope.ts';
import { isBroken } from '../../src/report/totals.ts';
import { version } from '../../src/version.ts';
import { readReport } from '../target/check-report.ts';
import { LEFT_BEHIND_PREFIX } from '../target/cleanup.ts';
import { hideSecrets } from '../target/secrets.ts';
import { readTargetSettings } from '../target/target-settings.ts';
import { collectFindings, collectOtherFindings, collectUnfinishedFindings, readRules } from './findings.ts';
import { createProgress, describeDuration, type Failure, LINE_INTERVAL_MS, type Progress } from './progress.ts';
import { GROUP_TITLE, readPathForm } from './repetition.ts';
import { LONG_TAG } from './rule.ts';
import { getObservationsFile, isSelected, readExploreSettings, readRunSettings } from './run-settings.ts';

/** Converts check results to verdicts on rules, and writes results.json. */
export default class VerdictReporter implements Reporter {
  private readonly run = readRunSettings(process.env);
  private readonly settings = readTargetSettings(process.env);
  private readonly secrets = this.settings.secrets ?? [];
  private readonly findings: RuleCheck[] = [];
  private readonly observations: Parameters<typeof groupObservations>[0][number][] = [];
  private readonly leftovers: string[] = [];
  private readonly errors: string[] = [];
  private progress: Progress | undefined;
  private interrupted = false;
  private reminder: NodeJS.Timeout | undefined;
  private runningCheck = '';
  private readonly notes: string[] = [];
  private readonly unfinished = new Set<TestCase>();

  printsToStdio(): boolean {
    return true;
  }

  async preprocess({ suite, testRun }: { suite: Suite; testRun: TestRun }): Promise<void> {
    const tests = suite.allTests();
    const selected = tests.filter((test) => !isGroup(test) && isSelected(readRules(test), readPathForm(test.titlePath()), this.run));
    // A group saves time only if it has several checks.
    const isUseful = (group: TestCase) => selected.filter((test) => isInGroup(test, group)).length > 1;
    for (const test of tests) if (isGroup(test) ? !isUseful(test) : !selected.includes(test)) testRun.exclude(test);
  }

  onBegin(_: FullConfig, suite: Suite): void {
    for (const test of suite.allTests()) this.unfinished.add(test);
    if (this.run.quiet) return;
    const { length } = suite.allTests();
    const count = suite.allTests().filter(({ tags }) => tags.includes(LONG_TAG)).length;
    const durationMs = count === 0 ? 0 : readExploreSettings(this.settings).seconds * 1000;
    this.progress = createProgress(length, process.stderr, () => performance.now(), { count, durationMs });
    if (this.settings.control === undefined) this.progress.writeAbove(describeDuration(length, this.settings));
    this.reminder = setInterval(() => this.progress?.remind(this.runningCheck), LINE_INTERVAL_MS);
  }

  onTestBegin({ title }: TestCase): void {
    this.runningCheck = title;
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const form = readPathForm(test.titlePath());
    const findings = collectFindings(test, result, form, this.run.verify);
    const others = collectOtherFindings(result, form).filter((finding) => !this.isKnown(finding));
    this.findings.push(...findings, ...others);
    const { notes, observed } = readReport(result);
    this.notes.push(...notes);
    this.observations.push(...observed.map((each) => ({ ...each, form })));
    for (const each of observed) appendFileSync(getObservationsFile(this.run), `${JSON.stringify(each)}\n`);
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
    const isLeftover = (line: string) => line.startsWith(LEFT_BEHIND_PREFIX);
    this.leftovers.push(...lines.filter(isLeftover).map((line) => line.slice(LEFT_BEHIND_PREFIX.length)));
    const others = lines.filter((line) => !isLeftover(line));
    const text = others.join('\n').trim();
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
    clearInterval(this.reminder);
    this.progress?.end();
    const { target, forms, rules: selected, notApplicable, resultsFile } = this.run;
    const interrupted = this.interrupted || status === 'interrupted';
    // A check may show that the target breaks a rule that was not selected.
    const found = new Set(this.findings.map(({ rule }) => rule));
    const rules = rulesInScope.filter(({ id }) => selected === undefined || selected.includes(id) || found.has(id));
    const unfinished = [...this.unfinished].flatMap((test) => collectUnfinishedFindings(test, readPathForm(test.titlePath())));
    const results: Results = {
      format: 'experience-provider-kit/conformance-results',
      version: RESULTS_VERSION,
      kit: version,
      target,
      ...(this.run.explore?.seed !== undefined && { seed: this.run.explore.seed }),
      startedAt: startTime.toISOString(),
      durationMs: Math.round(duration),
      interrupted,
      columns: forms,
      partial: selected !== undefined,
      rules: aggregate({ rules, columns: forms, findings: [...this.findings, ...unfinished], notApplicable, interrupted }),
      observations: groupObservations(this.observations),
      leftovers: this.leftovers,
      errors: this.errors,
      ...(this.notes.length > 0 && { notes: this.notes }),
    };
    writeFileSync(resultsFile, `${JSON.stringify(hideSecrets(results, this.secrets), undefined, 2)}\n`);
  }
}

const isGroup = ({ title }: TestCase) => title.startsWith(GROUP_TITLE);

const isInGroup = (test: TestCase, group: TestCase) =>
  readPathForm(test.titlePath()) === readPathForm(group.titlePath()) && group.tags.some((tag) => test.tags.includes(tag));

function findFailure(findings: readonly RuleCheck[]): Failure | undefined {
  const levels = findings.flatMap(({ rule, check }) => (isBroken(check) ? [rulesInScope.find(({ id }) => id === rule)?.level] : []));
  if (levels.length > 0) return levels.includes('documented') ? 'documented' : 'implied';
  return findings.some(({ check }) => check.verdict === 'error') ? 'error' : undefined;
}
