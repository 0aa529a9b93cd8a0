import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestResult } from '@playwright/test/reporter';
import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { Check, Failure, Observation } from '../../src/contract/generated/results.ts';
import { rules } from '../../src/contract/generated/rules-table.ts';
import type { Finding } from '../../src/report/aggregate.ts';
import { BROKEN_RULE_ATTACHMENT, type BrokenRule } from '../target/broken-rule.ts';
import { type Evidence, isRuleBroken } from './evidence.ts';

type CheckResult = Pick<TestResult, 'status' | 'duration' | 'annotations' | 'errors' | 'attachments'>;
type AnnotatedCheck = Pick<TestCase, 'title'>;
type PlannedCheck = Pick<TestCase, 'title' | 'annotations'>;

export function collectFindings(test: AnnotatedCheck, result: CheckResult, form: PathForm): Finding[] {
  if (result.status === 'interrupted') return [];
  const check = describeCheck(test, result);
  return readAnnotation(result, 'rule').map((rule) => ({ rule, column: form, check }));
}

/** Returns the findings of a check that has not run to its end, so that its rules do not pass because of their other checks. */
export function collectUnfinishedFindings(test: PlannedCheck, form: PathForm): Finding[] {
  const reason = 'the run was interrupted before this check had ended';
  const check: Check = { title: test.title, place: readAnnotation(test, 'place')[0] ?? '', durationMs: 0, verdict: 'not-testable', reason };
  return readAnnotation(test, 'rule').map((rule) => ({ rule, column: form, check }));
}

/** Reads the broken rules that a check reported in addition to the rule under test. */
export function readBrokenRules(attachments: CheckResult['attachments']): (BrokenRule & Evidence)[] {
  return attachments.flatMap(({ name, body }) =>
    name === BROKEN_RULE_ATTACHMENT ? (JSON.parse(String(body)) as BrokenRule & Evidence) : [],
  );
}

export function collectOtherFindings(result: CheckResult, form: PathForm): Finding[] {
  return readBrokenRules(result.attachments).map(({ rule, where, message, ...evidence }) => ({
    rule,
    column: form,
    check: {
      title: `${rules[rule].text.replace(/\.$/, '')}: ${where}.`,
      place: readCheckLocation(result),
      durationMs: result.duration,
      verdict: 'failed',
      failure: { message, ...evidence },
    },
  }));
}

function readCheckLocation(result: CheckResult): string {
  return readAnnotation(result, 'place')[0] ?? '';
}

function describeCheck(test: AnnotatedCheck, result: CheckResult): Check {
  const known = { title: test.title, place: readCheckLocation(result), durationMs: result.duration };
  const isBounded = result.annotations.some(({ type }) => type === 'bounded');
  if (result.status === 'passed') {
    const optional = readAnnotation(result, 'optional');
    const needed = readAnnotation(result, 'needed').filter((capability) => !optional.includes(capability));
    return { ...known, verdict: 'passed', needed, ...(isBounded && { bounded: true }) };
  }
  if (result.status === 'skipped') return { ...known, ...parseSkipReason(readAnnotation(result, 'skip')[0]) };
  return { ...known, verdict: isRuleBroken(formatMessage(result)) ? 'failed' : 'error', failure: describeFailure(result) };
}

/** Parses why a check was skipped: `not-testable: <capability>,<capability>`, `not-testable: <reason>` or `not-applicable: <reason>`. */
function parseSkipReason(description = ''): Pick<Check, 'verdict' | 'missing' | 'reason'> {
  const [, kind, rest = ''] = /^(not-testable|not-applicable): (.*)$/s.exec(description) ?? [];
  if (kind === 'not-applicable') return { verdict: 'not-applicable', reason: rest };
  // A text without spaces is a list of capabilities, and a text with spaces is a reason.
  if (kind === 'not-testable' && !/\s/.test(rest)) return { verdict: 'not-testable', missing: rest.split(',') };
  return { verdict: 'not-testable', reason: rest || description || 'the check was skipped' };
}

/** A message can contain a whole body. */
const MAX_MESSAGE_CHARACTERS = 20_000;

function describeFailure(result: CheckResult): Failure {
  const message = formatMessage(result)
    .replace(/^\W*RuleBroken: /, '')
    .slice(0, MAX_MESSAGE_CHARACTERS);
  const attached = result.attachments.find(({ name }) => name === 'evidence')?.body;
  return { message, ...(attached && (JSON.parse(attached.toString()) as Evidence)) };
}

function formatMessage({ errors, status, duration }: CheckResult): string {
  const [first] = errors;
  if (first === undefined) return `The check ended as ${status} after ${duration} ms.`;
  // Add the cause to the message, because a fetch error gives the reason only in its cause.
  const cause = first.cause?.message === undefined ? '' : ` (${first.cause.message})`;
  return stripVTControlCharacters((first.message ?? first.value ?? 'The check failed with an error that has no message.') + cause).trim();
}

type ObservedDecision = { readonly decision: string; readonly value: Observation['value']; readonly form: PathForm };

/** Returns the decisions that a check observed, from its `observed` annotations: `{"decision": …, "value": …}`. */
export function readObservations(result: CheckResult, form: PathForm): ObservedDecision[] {
  return readAnnotation(result, 'observed').map((text) => ({ ...(JSON.parse(text) as Omit<ObservedDecision, 'form'>), form }));
}

function readAnnotation({ annotations }: Pick<CheckResult, 'annotations'>, type: string): string[] {
  return annotations.flatMap((annotation) =>
    annotation.type === type && annotation.description !== undefined ? [annotation.description] : [],
  );
}
