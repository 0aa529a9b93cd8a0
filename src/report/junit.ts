import type { Cell, Results, RuleResult } from '../contract/generated/results.ts';
import { html, type Markup } from './html/markup.ts';
import { byResource, titleOf } from './summary.ts';
import { timelineLines } from './timeline.ts';
import { onlyDocumented } from './totals.ts';

/**
 * Writes JUnit XML, with a suite for each resource and column, and a case for each rule. A failed rule is skipped if the baseline
 * tolerates the failure, or if failures of the rule do not count.
 */
export function junitReport(results: Results, tolerated: ReadonlySet<string> = new Set(), counts = onlyDocumented): string {
  const { target, columns, rules, errors, durationMs } = results;
  const suites = columns.flatMap((column) =>
    [...byResource(rules)].map(([resource, group]) => {
      const cases = group.flatMap((rule) => {
        const cell = rule.cells[column];
        if (cell === undefined) return [];
        const isCounted = rule.level !== 'advice' && counts(rule);
        return [ruleCase(rule, cell, `${column}.${resource}`, tolerated.has(`${rule.id} ${column}`), isCounted, target.kind)];
      });
      return suite(`${resource} (${column})`, cases);
    }),
  );
  const incomplete = results.incomplete === undefined ? [] : [`The run is incomplete: ${results.incomplete}.`];
  const outside = [...errors, ...incomplete].map((text, index) =>
    testCase(html`name="error ${index + 1}" classname="suite"`, 'error', text),
  );
  const page = html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${columns.includes('integration') ? titleOf(results) : `conformance of ${target.baseUrl}`}" time="${durationMs / 1000}">
${suites}${outside.length === 0 ? undefined : suite(columns.includes('integration') ? 'The check itself' : 'The suite itself', outside)}</testsuites>
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
  kind: Results['target']['kind'],
): Case {
  const time = checks.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0) / 1000;
  const attributes = html`name="${id}" classname="${classname}" time="${time}"`;
  const decisive = checks.find((check) => check.verdict === verdict);
  const message = decisive?.failure?.message ?? reason;
  const details = [text, message, ...(decisive ? timelineLines(decisive, kind) : [])].join('\n');
  if (verdict === 'passed') return testCase(attributes, 'passed', message);
  if (verdict === 'error') return testCase(attributes, 'error', message, details);
  if (verdict !== 'failed') return testCase(attributes, 'skipped', `${verdict}: ${message}`);
  if (tolerated) return testCase(attributes, 'skipped', `known failure: ${message}`);
  if (!isCounted)
    return testCase(attributes, 'skipped', `${level === 'advice' ? 'advice was not followed' : `${level} rule failed`}: ${message}`);
  return testCase(attributes, 'failure', message, details);
}
