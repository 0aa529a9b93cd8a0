import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestResult } from '@playwright/test/reporter';
import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { Check, Failure } from '../../src/contract/generated/results.ts';
import { rules } from '../../src/contract/generated/rules-table.ts';
import type { RuleCheck } from '../../src/report/aggregate.ts';
import { type CheckReport, readReport } from '../target/check-report.ts';

type CheckResult = Pick<TestResult, 'status' | 'duration' | 'annotations' | 'errors'>;
type Annotated = Pick<TestCase, 'annotations'>;
type Titled = Pick<TestCase, 'title'>;

/** @param verify whether a check is flaky that passes only when it is repeated */
export function collectFindings(test: Titled, result: CheckResult, form: PathForm, verify = false): RuleCheck[] {
  if (result.status === 'interrupted') return [];
  const check = describeCheck(test, result, verify);
  return readRules(result).map((rule) => ({ rule, column: form, check }));
}

/** Returns the findings of a check that has not run to its end, so that its rules do not pass because of their other checks. */
export function collectUnfinishedFindings(test: Titled & Annotated, form: PathForm): RuleCheck[] {
  const reason = 'the run was interrupted before this check had ended';
  const check: Check = { title: test.title, place: readPlace(test), durationMs: 0, verdict: 'not-testable', reason };
  return readRules(test).map((rule) => ({ rule, column: form, check }));
}

export function collectOtherFindings(result: CheckResult, form: PathForm): RuleCheck[] {
  return readReport(result).others.map(({ rule, where, message, ...evidence }) => ({
    rule,
    column: form,
    check: {
      title: `${rules[rule].text.replace(/\.$/, '')}: ${where}.`,
      place: readPlace(result),
      durationMs: result.duration,
      verdict: 'failed',
      incidental: true,
      failure: { message, ...evidence },
    },
  }));
}

function describeCheck(test: Titled, result: CheckResult, verify: boolean): Check {
  const known = { title: test.title, place: readPlace(result), durationMs: result.duration };
  const report = readReport(result);
  if (verify && report.withdrawn !== undefined && (result.status === 'passed' || result.status === 'skipped'))
    return { ...known, verdict: 'flaky', failure: describeFailure(result, { ...report, broken: `${WITHDRAWN}${report.withdrawn}` }) };
  if (result.status === 'passed') {
    const { exchange } = report.evidence ?? {};
    const needed = report.needed.filter((capability) => !report.optional.includes(capability));
    return { ...known, verdict: 'passed', needed, ...(report.bounded && { bounded: true }), ...(exchange && { exchange }) };
  }
  if (result.status === 'skipped') return { ...known, ...(report.skipped ?? { verdict: 'not-testable', reason: 'the check was skipped' }) };
  return { ...known, verdict: report.broken === undefined ? 'error' : 'failed', failure: describeFailure(result, report) };
}

const WITHDRAWN = 'Failed at first, and not when it was repeated.\n';

/** A message can contain a whole body. */
const MAX_MESSAGE_CHARACTERS = 20_000;

const describeFailure = (result: CheckResult, { broken = formatMessage(result), evidence }: CheckReport): Failure => ({
  message: broken.slice(0, MAX_MESSAGE_CHARACTERS),
  ...evidence,
});

function formatMessage({ errors, status, duration }: CheckResult): string {
  const [first] = errors;
  if (first === undefined) return `The check ended as ${status} after ${duration} ms.`;
  // Add the cause to the message, because a fetch error gives the reason only in its cause.
  const cause = first.cause?.message === undefined ? '' : ` (${first.cause.message})`;
  return stripVTControlCharacters((first.message ?? first.value ?? 'The check failed with an error that has no message.') + cause).trim();
}

const readAnnotations = ({ annotations }: Annotated, type: string): string[] =>
  annotations.flatMap((annotation) => (annotation.type === type ? (annotation.description ?? []) : []));

export const readRules = (annotated: Annotated): string[] => readAnnotations(annotated, 'rule');

const readPlace = (annotated: Annotated): string => readAnnotations(annotated, 'place')[0] ?? '';
