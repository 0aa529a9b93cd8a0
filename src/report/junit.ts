import type { Cell, Results, RuleResult } from '../contract/generated/results.ts';
import { byResource } from './summary.ts';

/** JUnit XML: a suite for each resource and form, a case for each rule. Implied rules that failed are skipped, because they do not fail a target. */
export function junitReport(results: Results, tolerated: ReadonlySet<string> = new Set()): string {
  const suites = results.forms.flatMap((form) =>
    [...byResource(results.rules)].map(([resource, rules]) => {
      const cases = rules.flatMap((rule) => {
        const cell = rule.cells[form];
        return cell === undefined ? [] : [{ rule, cell, outcome: outcomeOf(rule, cell, tolerated.has(`${rule.id} ${form}`)) }];
      });
      const count = (kind: Outcome['kind']) => cases.filter(({ outcome }) => outcome.kind === kind).length;
      const attributes = {
        name: `${resource} (${form})`,
        tests: cases.length,
        failures: count('failure'),
        errors: count('error'),
        skipped: count('skipped'),
      };
      return element(
        'testsuite',
        attributes,
        cases.map(({ rule, cell, outcome }) => testCase(rule, cell, outcome, `${form}.${resource}`)),
      );
    }),
  );
  const errors = results.errors.map((text, index) =>
    element('testcase', { name: `error ${index + 1}`, classname: 'suite' }, [
      element('error', { message: firstLine(text) }, [escaped(text)]),
    ]),
  );
  const own =
    errors.length === 0
      ? []
      : [element('testsuite', { name: 'The suite itself', tests: errors.length, failures: 0, errors: errors.length, skipped: 0 }, errors)];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: `conformance of ${results.target.baseUrl}`, time: results.durationMs / 1000 }, [...suites, ...own])}\n`;
}

interface Outcome {
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped';
  readonly message: string;
}

function outcomeOf({ level }: RuleResult, { verdict, reason = '', checks }: Cell, tolerated: boolean): Outcome {
  const message = checks.find((check) => check.verdict === verdict)?.failure?.message ?? reason;
  if (verdict === 'passed') return { kind: 'passed', message };
  if (verdict === 'error') return { kind: 'error', message };
  if (verdict !== 'failed') return { kind: 'skipped', message: `${verdict}: ${message}` };
  if (tolerated) return { kind: 'skipped', message: `known failure: ${message}` };
  return level === 'implied' ? { kind: 'skipped', message: `implied rule failed: ${message}` } : { kind: 'failure', message };
}

function testCase({ id, text }: RuleResult, { checks }: Cell, { kind, message }: Outcome, classname: string): string {
  const time = checks.reduce((sum, check) => sum + check.durationMs, 0) / 1000;
  const inside =
    kind === 'passed' ? [] : [element(kind, { message: firstLine(message) }, kind === 'skipped' ? [] : [escaped(`${text}\n${message}`)])];
  return element('testcase', { name: id, classname, time }, inside);
}

function element(name: string, attributes: Readonly<Record<string, string | number>>, inside: readonly string[]): string {
  const text = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value)).replaceAll('\n', '&#10;')}"`);
  if (inside.length === 0) return `<${name}${text.join('')}/>`;
  return `<${name}${text.join('')}>${inside.join('\n')}</${name}>`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** XML cannot represent most control characters. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
