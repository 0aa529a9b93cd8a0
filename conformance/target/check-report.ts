import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { type TestInfo, test } from '@playwright/test';
import type { DecisionId, Decisions } from '../../src/contract/generated/decisions.ts';
import type { Check, Failure } from '../../src/contract/generated/results.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import type { Answer } from '../../src/expect/answer.ts';
import type { RuleBroken } from '../../src/expect/rule-broken.ts';
import type { Capability } from './capabilities.ts';

/** The exchange that broke a rule, earlier exchanges, and a curl command, all without secrets. */
export type Evidence = Omit<Failure, 'message'>;

export interface BrokenRule {
  readonly rule: RuleId;
  /** Where the target breaks the rule, such as "every refusal of getUser". Reports with the same rule and `where` count as one. */
  readonly where: string;
  readonly message: string;
}

/** What the reporter learns from a check in addition to Playwright's result. */
export interface CheckReport {
  readonly needed: Capability[];
  readonly optional: Capability[];
  readonly observed: { readonly decision: DecisionId; readonly value: Decisions[DecisionId] }[];
  /** Broken rules other than the one under test. */
  readonly others: (BrokenRule & Evidence)[];
  /** Sentences about what the run observed and what breaks no rule. */
  readonly notes: string[];
  /** Whether the check, if it passes, only means that nothing arrived within a limited time. */
  bounded?: true;
  /** Why the check ended early. */
  skipped?: Pick<Check, 'verdict' | 'missing' | 'reason' | 'inconclusive'>;
  /** The message of the error that breaks the rule under test. Absent if the check ended with another error. */
  broken?: string;
  /** The message of such an error that did not occur again when the check, or the part in which it occurred, was repeated. */
  withdrawn?: string;
  /** The response in which that rule is broken. Not sent, because the evidence contains it. */
  brokenAnswer?: Answer | undefined;
  evidence?: Evidence | undefined;
}

const reports = new WeakMap<TestInfo, CheckReport>();
export const createReport = (): CheckReport => ({ needed: [], optional: [], observed: [], others: [], notes: [] });

const separateReport = new AsyncLocalStorage<CheckReport>();

/** Lets several check bodies run within one Playwright test, each with its own report. */
export const runWithReport = <Result>(report: CheckReport, run: () => Promise<Result>): Promise<Result> => separateReport.run(report, run);

/** Whether the running check body runs at the same time as others. */
export const isTogether = (): boolean => separateReport.getStore() !== undefined;

export function getReport(given?: TestInfo): CheckReport {
  const separate = separateReport.getStore();
  if (separate !== undefined) return separate;
  const check = given ?? test.info();
  const report = reports.get(check) ?? createReport();
  reports.set(check, report);
  return report;
}

/** Notes that a check which then passes, or ends as not testable, was broken before it was repeated. With --verify, it is flaky. */
export function withdraw({ message, answer }: RuleBroken): void {
  const report = getReport();
  report.withdrawn ??= message;
  report.brokenAnswer ??= answer;
}

/** Adds what another report says about a check that has not failed. */
export function addReport(to: CheckReport, { needed, optional, observed, others, notes, bounded, withdrawn }: CheckReport): void {
  note(to.needed, ...needed);
  note(to.optional, ...optional);
  to.observed.push(...observed);
  to.others.push(...others);
  to.notes.push(...notes);
  if (bounded) to.bounded = true;
  if (withdrawn !== undefined) to.withdrawn = withdrawn;
}

const ANNOTATION = 'report';

/** Sends the report to the reporter, which runs in another process. */
export function sendReport(check: TestInfo): void {
  const { brokenAnswer: _, ...report } = getReport(check);
  check.annotations.push({ type: ANNOTATION, description: JSON.stringify(report) });
}

export function readReport({ annotations }: Pick<TestInfo, 'annotations'>): CheckReport {
  const sent = annotations.find(({ type }) => type === ANNOTATION)?.description;
  return { ...createReport(), ...(sent === undefined ? {} : (JSON.parse(sent) as Partial<CheckReport>)) };
}

export function note<Item>(known: Item[], ...items: readonly Item[]): void {
  for (const item of items) if (!known.includes(item)) known.push(item);
}

function endEarly(skipped: NonNullable<CheckReport['skipped']>): never {
  getReport().skipped = skipped;
  if (!isTogether()) test.skip(true, skipped.reason);
  throw new Error('test.skip ends the check');
}

export function endAsNotTestable(reason: string): never {
  endEarly({ verdict: 'not-testable', reason });
}

/** Ends the check because the suite or its machine was too slow, which says nothing about the target. */
export function endAsInconclusive(reason: string): never {
  endEarly({ verdict: 'not-testable', reason, inconclusive: true });
}

export function endAsNotApplicable(reason: string): never {
  endEarly({ verdict: 'not-applicable', reason });
}

export function endWithoutCapabilities(...missing: readonly Capability[]): never {
  endEarly({ verdict: 'not-testable', missing });
}

export function extendTimeout(ms: number): void {
  const check = findRunningCheck();
  check?.setTimeout(check.timeout + ms);
}

/** Waits, and extends the running check's timeout by the time. */
export async function waitInRealTime(ms: number): Promise<void> {
  extendTimeout(ms);
  await pause(ms);
}

/** @returns undefined outside a check, such as during a worker's final cleanup */
function findRunningCheck(): TestInfo | undefined {
  try {
    return test.info();
  } catch {
    return undefined;
  }
}

export function testsRule(rule: RuleId): boolean {
  return test.info().annotations.some(({ type, description }) => type === 'rule' && description === rule);
}

/**
 * Ends the check because the target breaks `rule`. A check of another rule reports the broken rule and ends as not testable.
 * @param what a clause such as "the event was not delivered"
 * @throws `error` if the check tests `rule`
 */
export function endWithBrokenRule(rule: RuleId, error: Error, what: string): never {
  if (testsRule(rule)) throw error;
  const message = `${error.message}\nReported by the check: ${test.info().title}`;
  getReport().others.push({ rule, where: 'other checks', message });
  return endAsNotTestable(`${what}, which breaks the rule ${rule}`);
}
