import type { Cell, Results, RuleResult } from '../contract/generated/results.ts';
import { html, type Markup } from './html/markup.ts';
import type { RunView } from './run-view.ts';
import { formatTimeline } from './timeline.ts';
import { hasFailed, isBroken, isDocumented } from './totals.ts';

/** A failure that does not make the run fail becomes a skipped case. */
export function formatJunitReport(run: RunView, makesRunFail = isDocumented): string {
  const { target, columns, resources, errors, durationMs } = run;
  const suites = columns.flatMap((column) =>
    resources.map(([resource, group]) => {
      const cases = group.flatMap((rule) => {
        const cell = rule.cells[column];
        if (cell === undefined) return [];
        const isCounted = rule.level !== 'advice' && makesRunFail(rule);
        return [toTestCase(rule, cell, `${column}.${resource}`, run.isTolerated(rule.id, column), isCounted, target.kind)];
      });
      return renderSuite(`${resource} (${column})`, cases);
    }),
  );
  const incomplete = run.incomplete === undefined ? [] : [`The run is incomplete: ${run.incomplete}.`];
  const outside = [...errors, ...incomplete].map((text, index) =>
    createTestCase(html`name="error ${index + 1}" classname="suite"`, 'error', text),
  );
  return html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${run.forms === undefined ? run.title : `conformance of ${target.baseUrl}`}" time="${durationMs / 1000}">
${suites}${outside.length === 0 ? undefined : renderSuite(`The ${run.toolNoun} itself`, outside)}</testsuites>
`.text;
}

interface TestCase {
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped';
  readonly markup: Markup;
}

function renderSuite(name: string, cases: readonly TestCase[]): Markup {
  const countCases = (kind: TestCase['kind']) => cases.filter((each) => each.kind === kind).length;
  return html`<testsuite name="${name}" tests="${cases.length}" failures="${countCases('failure')}" errors="${countCases('error')}" skipped="${countCases('skipped')}">
${cases.map(({ markup }) => markup)}</testsuite>
`;
}

function createTestCase(attributes: Markup, kind: TestCase['kind'], message: string, text = message): TestCase {
  const [line] = message.split('\n', 1);
  const inside = {
    passed: undefined,
    skipped: html`<skipped message="${line}"/>`,
    failure: html`<failure message="${line}">${text}</failure>`,
    error: html`<error message="${line}">${text}</error>`,
  };
  return { kind, markup: html`<testcase ${attributes}>${inside[kind]}</testcase>\n` };
}

function toTestCase(
  { id, text, level, unscored }: RuleResult,
  { verdict, reason = '', checks }: Cell,
  classname: string,
  tolerated: boolean,
  isCounted: boolean,
  kind: Results['target']['kind'],
): TestCase {
  const time = checks.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0) / 1000;
  const attributes = html`name="${id}" classname="${classname}" time="${time}"`;
  const decisive = checks.find((check) => check.verdict === verdict);
  const message = decisive?.failure?.message ?? reason;
  const details = [text, message, ...(decisive ? formatTimeline(decisive, kind) : [])].join('\n');
  if (verdict === 'passed') return createTestCase(attributes, 'passed', message);
  const isFailure = isBroken({ verdict });
  if (unscored !== undefined && hasFailed({ verdict }))
    return createTestCase(attributes, 'skipped', `not part of the requirements (${unscored}): ${verdict}: ${message}`);
  if (verdict === 'error') return createTestCase(attributes, 'error', message, details);
  if (!isFailure) return createTestCase(attributes, 'skipped', `${verdict}: ${message}`);
  if (tolerated) return createTestCase(attributes, 'skipped', `known failure: ${message}`);
  if (!isCounted)
    return createTestCase(attributes, 'skipped', `${level === 'advice' ? 'advice was not followed' : `${level} rule failed`}: ${message}`);
  return createTestCase(attributes, 'failure', message, details);
}
