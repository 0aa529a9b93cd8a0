import type { Cell, Results, RuleResult } from '../contract/generated/results.ts';
import { html, type Markup } from './html/markup.ts';
import { byResource } from './summary.ts';
import { onlyDocumented } from './totals.ts';

/**
 * Writes JUnit XML, with a suite for each resource and path form, and a case for each rule. A failed rule is skipped if the baseline
 * tolerates the failure, or if failures of the rule do not count.
 */
export function junitReport(results: Results, tolerated: ReadonlySet<string> = new Set(), counts = onlyDocumented): string {
  const { target, forms, rules, errors, durationMs } = results;
  const suites = forms.flatMap((form) =>
    [...byResource(rules)].map(([resource, group]) => {
      const cases = group.flatMap((rule) => {
        const cell = rule.cells[form];
        return cell === undefined ? [] : [ruleCase(rule, cell, `${form}.${resource}`, tolerated.has(`${rule.id} ${form}`), counts(rule))];
      });
      return suite(`${resource} (${form})`, cases);
    }),
  );
  const outside = errors.map((text, index) => testCase(html`name="error ${index + 1}" classname="suite"`, 'error', text));
  const page = html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="conformance of ${target.baseUrl}" time="${durationMs / 1000}">
${suites}${outside.length === 0 ? undefined : suite('The suite itself', outside)}</testsuites>
`;
  // XML cannot represent most control characters, so these characters are replaced.
  return page.text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}

interface Case {
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped';
  readonly markup: Markup;
}

function suite(name: string, cases: readonly Case[]): Markup {
  const count = (kind: Case['kind']) => cases.filter((each) => each.kind === kind).length;
  return html`<testsuite name="${name}" tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}">
${cases.map(({ markup }) => markup)}</testsuite>
`;
}

/**
 * @param message why the case did not pass; the first line becomes the attribute `message`
 * @param text the content of the element
 */
function testCase(attributes: Markup, kind: Case['kind'], message: string, text = message): Case {
  const [line] = message.split('\n', 1);
  const inside = {
    passed: undefined,
    skipped: html`<skipped message="${line}"/>`,
    failure: html`<failure message="${line}">${text}</failure>`,
    error: html`<error message="${line}">${text}</error>`,
  };
  return { kind, markup: html`<testcase ${attributes}>${inside[kind]}</testcase>\n` };
}

function ruleCase(
  { id, text, level }: RuleResult,
  { verdict, reason = '', checks }: Cell,
  classname: string,
  tolerated: boolean,
  isCounted: boolean,
): Case {
  const time = checks.reduce((sum, check) => sum + check.durationMs, 0) / 1000;
  const attributes = html`name="${id}" classname="${classname}" time="${time}"`;
  const message = checks.find((check) => check.verdict === verdict)?.failure?.message ?? reason;
  if (verdict === 'passed') return testCase(attributes, 'passed', message);
  if (verdict === 'error') return testCase(attributes, 'error', message, `${text}\n${message}`);
  if (verdict !== 'failed') return testCase(attributes, 'skipped', `${verdict}: ${message}`);
  if (tolerated) return testCase(attributes, 'skipped', `known failure: ${message}`);
  if (!isCounted) return testCase(attributes, 'skipped', `${level} rule failed: ${message}`);
  return testCase(attributes, 'failure', message, `${text}\n${message}`);
}
