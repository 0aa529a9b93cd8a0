import { readFileSync, writeFileSync } from 'node:fs';
import type { Reporter, Suite, TestCase, TestError, TestResult, TestRun } from '@playwright/test/reporter';
import { kindOf } from '../../runner/evidence.ts';
import { partsOf } from '../../runner/repetition.ts';
import { RATE } from '../../runner/rule.ts';
import { checkName, type Plan, readPlan, readSabotageSettings } from './plan.ts';

/** A check of the suite, as a plan names it. */
export interface KnownCheck {
  readonly check: string;
  readonly rules: readonly string[];
  /** It takes long, or nothing else can go on beside it: it measures rates, or makes the service fail. */
  readonly costly: boolean;
}

/** How a check ended before a saboteur, or (where that is undefined) before the service itself. */
export interface Outcome {
  readonly check: string;
  readonly saboteur: string | undefined;
  /** `broken`: the check says that its rule is. `harness`: it went wrong otherwise. `not-applicable`: it is made in the other form. `spared`: all that it could show was shown. */
  readonly ended: 'passed' | 'broken' | 'harness' | 'not-testable' | 'not-applicable' | 'spared';
  readonly message: string;
  readonly durationMs: number;
}

export interface Outcomes {
  readonly checks: readonly KnownCheck[];
  readonly outcomes: readonly Outcome[];
  readonly errors: readonly string[];
}

/** What was made again counts as it ended then. */
export function withAnother(outcomes: Outcomes, again: Outcomes): Outcomes {
  const key = ({ check, saboteur }: Outcome) => `${check} ${saboteur}`;
  const made = new Set(again.outcomes.map(key));
  return {
    ...outcomes,
    outcomes: [...outcomes.outcomes.filter((outcome) => !made.has(key(outcome))), ...again.outcomes],
    errors: [...outcomes.errors, ...again.errors],
  };
}

/** Runs what the plan says, and writes what became of it. */
export default class SabotageReporter implements Reporter {
  private readonly settings = readSabotageSettings();
  private readonly plan: Plan | undefined = readPlan(this.settings);
  private readonly checks = new Map<string, KnownCheck>();
  private readonly outcomes: Outcome[] = [];
  private readonly errors: string[] = [];
  private total = 0;

  printsToStdio(): boolean {
    return true;
  }

  async preprocess({ suite, testRun }: { suite: Suite; testRun: TestRun }): Promise<void> {
    for (const test of suite.allTests()) {
      const known = knownCheck(test);
      // One that only observes what is left open breaks nothing.
      if (known.rules.length === 0) {
        testRun.exclude(test);
        continue;
      }
      // Saboteurs know operations, not paths: one form is enough, but for the rules of the forms themselves.
      if (formOf(test) !== 'prefixed' && !known.rules.some((rule) => rule.startsWith('http.path-forms.'))) {
        testRun.exclude(test);
        continue;
      }
      this.checks.set(known.check, known);
      const wanted = this.plan === undefined ? !known.costly : this.plan[known.check]?.includes(saboteurOf(test) ?? '');
      if (wanted) this.total += 1;
      else testRun.exclude(test);
    }
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const check = nameOf(test);
    const message = result.errors[0]?.message ?? '';
    const skipped = result.annotations.find(({ type }) => type === 'skip')?.description ?? '';
    this.outcomes.push({
      check,
      saboteur: saboteurOf(test),
      ended: endedOf(result.status, message, skipped),
      message: message || skipped || result.status,
      durationMs: result.duration,
    });
    if (process.stderr.isTTY) process.stderr.write(`\r  ${this.outcomes.length} of ${this.total}`);
  }

  onError({ message, value }: TestError): void {
    this.errors.push(message ?? value ?? 'unknown error');
  }

  onEnd(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    const written: Outcomes = { checks: [...this.checks.values()], outcomes: this.outcomes, errors: this.errors };
    writeFileSync(this.settings.outcomes, JSON.stringify(written));
  }
}

const NOT_MADE = ['not-applicable', 'spared'] as const;

function endedOf(status: TestResult['status'], message: string, skipped: string): Outcome['ended'] {
  if (status === 'passed') return 'passed';
  if (status === 'skipped') return NOT_MADE.find((reason) => skipped.startsWith(reason)) ?? 'not-testable';
  return kindOf(message) === 'broken' ? 'broken' : 'harness';
}

const formOf = (test: TestCase): string => test.parent.project()?.name ?? '';
const saboteurOf = ({ title }: TestCase): string | undefined => partsOf(title).repetition;

function nameOf(test: TestCase): string {
  const [, form = '', file = ''] = test.titlePath();
  return checkName({ file, title: partsOf(test.title).title, form });
}

function knownCheck(test: TestCase): KnownCheck {
  const rules = test.annotations.flatMap(({ type, description }) => (type === 'rule' && description !== undefined ? [description] : []));
  return { check: nameOf(test), rules, costly: test.tags.includes(RATE) || isLocked(test) };
}

// Where a check was registered for several saboteurs its own place is that of the one who did it.
function fileOf(suite: Suite): string {
  return suite.type === 'file' || suite.parent === undefined ? (suite.location?.file ?? '') : fileOf(suite.parent);
}

// Playwright knows which checks are locked, but tells no reporter.
const lockedFiles = new Map<string, boolean>();
function isLocked(test: TestCase): boolean {
  const file = fileOf(test.parent);
  const known = lockedFiles.get(file) ?? readFileSync(file, 'utf8').includes("lock: '-exclusive-'");
  lockedFiles.set(file, known);
  return known;
}
