import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestError, TestResult, TestRun } from '@playwright/test/reporter';
import type { PathForm } from '../../src/contract/generated/operations.ts';
import { aggregate, type Finding, gatherObservations } from '../../src/report/aggregate.ts';
import { RESULTS_VERSION, type Results } from '../../src/report/results.ts';
import { rulesInScope } from '../../src/report/scope.ts';
import { withoutSecrets } from '../target/secrets.ts';
import { readTargetSettings } from '../target/target-settings.ts';
import { findingsOf, observationsOf } from './findings.ts';
import { createProgress, type Progress } from './progress.ts';
import { readRunSettings } from './run-settings.ts';

const { version } = createRequire(import.meta.url)('experience-provider-kit/package.json') as { version: string };

/** Turns test results into verdicts on rules, and writes them as results.json. What it shows while it runs goes to standard error. */
export default class VerdictReporter implements Reporter {
  private readonly run = readRunSettings(process.env);
  private readonly secrets = readTargetSettings(process.env).secrets ?? [];
  private readonly findings: Finding[] = [];
  private readonly seen: Parameters<typeof gatherObservations>[0][number][] = [];
  private readonly leftovers: string[] = [];
  private readonly errors: string[] = [];
  private progress: Progress | undefined;
  private root = '';
  private interrupted = false;

  printsToStdio(): boolean {
    return true;
  }

  /** Takes out what was not asked for, what the profile takes out, and what the other form has shown already. */
  async preprocess({ suite, testRun }: { suite: Suite; testRun: TestRun }): Promise<void> {
    for (const test of suite.allTests()) if (!this.isWanted(test)) testRun.exclude(test);
  }

  private isWanted(test: TestCase): boolean {
    const { rules, observing = rules === undefined, forms, notApplicable } = this.run;
    const form = formOf(test);
    const named = test.annotations.flatMap(({ type, description }) => (type === 'rule' && description !== undefined ? [description] : []));
    // One that only observes decisions: what both forms share is seen once.
    if (named.length === 0) return observing && form === forms[0];
    return named.some((id) => {
      const rule = rulesInScope.find((candidate) => candidate.id === id);
      if (rule === undefined || (rules && !rules.includes(rule.id))) return false;
      if (notApplicable.some((entry) => entry.rule === id && (entry.form === undefined || entry.form === form))) return false;
      return rule.forms.includes(form) || forms.length === 1;
    });
  }

  onBegin(config: FullConfig, suite: Suite): void {
    // Places are said from the folder of the configuration.
    this.root = config.configFile === undefined ? config.rootDir : config.configFile.replace(/[^/\\]+$/, '');
    if (!this.run.unwatched) this.progress = createProgress(suite.allTests().length, process.stderr, () => performance.now());
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const form = formOf(test);
    const findings = findingsOf(test, result, form, this.root);
    this.findings.push(...findings);
    this.seen.push(...observationsOf(result, form));
    this.interrupted ||= result.status === 'interrupted';
    const failed = findings.some(({ check }) => check.verdict === 'failed' || check.verdict === 'error');
    // No target fails for what is only observed; but that it could not be is told.
    if (findings.length === 0 && result.status === 'failed')
      this.say(`Not observed: ${test.title} ${stripVTControlCharacters(result.errors[0]?.message ?? '')}`);
    this.progress?.advance(`${findings[0]?.rule ?? test.title} (${form})`, failed);
  }

  onStdErr(chunk: string | Buffer): void {
    const [left, other] = [[] as string[], [] as string[]];
    for (const line of chunk.toString().split('\n')) (line.startsWith('left behind: ') ? left : other).push(line);
    this.leftovers.push(...left.map((line) => line.slice('left behind: '.length)));
    const text = other.join('\n').trim();
    if (text !== '') this.say(text);
  }

  private say(text: string): void {
    const line = `${withoutSecrets(text, this.secrets)}\n`;
    if (this.progress) this.progress.above(line);
    else process.stderr.write(line);
  }

  onError(error: TestError): void {
    const place = error.location ? `${error.location.file}:${error.location.line}: ` : '';
    this.errors.push(stripVTControlCharacters(place + (error.message ?? error.value ?? 'unknown error')));
  }

  async onEnd({ status, startTime, duration }: FullResult): Promise<void> {
    this.progress?.end();
    const { target, forms, rules: wanted, notApplicable, resultsFile } = this.run;
    const interrupted = this.interrupted || status === 'interrupted';
    const rules = rulesInScope.filter(({ id }) => wanted === undefined || wanted.includes(id));
    const results: Results = {
      format: 'experience-provider-kit/conformance-results',
      version: RESULTS_VERSION,
      kit: version,
      target,
      startedAt: startTime.toISOString(),
      durationMs: Math.round(duration),
      interrupted,
      forms,
      partial: wanted !== undefined,
      rules: aggregate({ rules, forms, findings: this.findings, notApplicable, interrupted }),
      observations: gatherObservations(this.seen),
      leftovers: this.leftovers,
      errors: this.errors,
    };
    writeFileSync(resultsFile, `${JSON.stringify(withoutSecrets(results, this.secrets), undefined, 2)}\n`);
  }
}

/** The projects of the suite are the path forms. */
function formOf(test: TestCase): PathForm {
  return test.parent.project()?.name as PathForm;
}
