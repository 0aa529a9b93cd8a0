import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestResult } from '@playwright/test/reporter';
import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { Check, Failure, Observation } from '../../src/contract/generated/results.ts';
import { rules } from '../../src/contract/generated/rules-table.ts';
import type { Finding } from '../../src/report/aggregate.ts';
import { BROKEN_RULE, type BrokenRule } from '../target/broken-rule.ts';
import { type Evidence, isBroken } from './evidence.ts';

type Ended = Pick<TestResult, 'status' | 'duration' | 'annotations' | 'errors' | 'attachments'>;
type Described = Pick<TestCase, 'title'>;

/** Returns a finding with the verdict of the check for each of its rules. Returns none if the check was interrupted or has no rules. */
export function findingsOf(test: Described, result: Ended, form: PathForm): Finding[] {
  if (result.status === 'interrupted') return [];
  const check = checkOf(test, result);
  return described(result, 'rule').map((rule) => ({ rule, column: form, check }));
}

/** Returns the reports of a check that the target breaks a rule other than the rule under test. */
export function brokenRulesOf(attachments: Ended['attachments']): (BrokenRule & Evidence)[] {
  return attachments.flatMap(({ name, body }) => (name === BROKEN_RULE ? (JSON.parse(String(body)) as BrokenRule & Evidence) : []));
}

/** Returns the findings about broken rules other than the rule under test. */
export function otherFindingsOf(result: Ended, form: PathForm): Finding[] {
  return brokenRulesOf(result.attachments).map(({ rule, where, message, ...evidence }) => ({
    rule,
    column: form,
    check: {
      title: `${rules[rule].text.replace(/\.$/, '')}: ${where}.`,
      place: placeOf(result),
      durationMs: result.duration,
      verdict: 'failed',
      failure: { message, ...evidence },
    },
  }));
}

function placeOf(result: Ended): string {
  return described(result, 'place')[0] ?? '';
}

function checkOf(test: Described, result: Ended): Check {
  const known = { title: test.title, place: placeOf(result), durationMs: result.duration };
  const isBounded = result.annotations.some(({ type }) => type === 'bounded');
  if (result.status === 'passed') {
    const optional = described(result, 'optional');
    const needed = described(result, 'needed').filter((capability) => !optional.includes(capability));
    return { ...known, verdict: 'passed', needed, ...(isBounded && { bounded: true }) };
  }
  if (result.status === 'skipped') return { ...known, ...skipped(described(result, 'skip')[0]) };
  return { ...known, verdict: isBroken(messageOf(result)) ? 'failed' : 'error', failure: failureOf(result) };
}

/**
 * Parses the reason why a check was skipped: `not-testable: <capability>,<capability>`, `not-testable: <reason>` or `not-applicable:
 * <reason>`.
 */
function skipped(description = ''): Pick<Check, 'verdict' | 'missing' | 'reason'> {
  const [, kind, rest = ''] = /^(not-testable|not-applicable): (.*)$/s.exec(description) ?? [];
  if (kind === 'not-applicable') return { verdict: 'not-applicable', reason: rest };
  // Names of capabilities contain no spaces, so a text with spaces is a reason.
  if (kind === 'not-testable' && !/\s/.test(rest)) return { verdict: 'not-testable', missing: rest.split(',') };
  return { verdict: 'not-testable', reason: rest || description || 'the check was skipped' };
}

function failureOf(result: Ended): Failure {
  const message = messageOf(result).replace(/^\W*RuleBroken: /, '');
  const attached = result.attachments.find(({ name }) => name === 'evidence')?.body;
  return { message, ...(attached && (JSON.parse(attached.toString()) as Evidence)) };
}

function messageOf({ errors, status, duration }: Ended): string {
  const [first] = errors;
  if (first === undefined) return `The check ended as ${status} after ${duration} ms.`;
  // The cause is added to the message, because fetch gives the reason of a failure only in the cause.
  const cause = first.cause?.message === undefined ? '' : ` (${first.cause.message})`;
  return stripVTControlCharacters((first.message ?? first.value ?? 'The check failed with an error that has no message.') + cause).trim();
}

type Observed = { readonly decision: string; readonly value: Observation['value']; readonly form: PathForm };

/**
 * Returns the decisions that a check observed. They are in annotations of the type `observed`, whose description is `{"decision": …,
 * "value": …}`.
 */
export function observationsOf(result: Ended, form: PathForm): Observed[] {
  return described(result, 'observed').map((text) => ({ ...(JSON.parse(text) as Omit<Observed, 'form'>), form }));
}

function described({ annotations }: Pick<Ended, 'annotations'>, type: string): string[] {
  return annotations.flatMap((annotation) =>
    annotation.type === type && annotation.description !== undefined ? [annotation.description] : [],
  );
}
