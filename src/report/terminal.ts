import type { RuleResult } from '../contract/generated/results.ts';
import { type ColourText, formatClosing, formatCounts, VERDICT_COLOURS } from './closing.ts';
import { describeCommonAnswer } from './common-answer.ts';
import { formatCoverageLines, summarizeCoverage } from './coverage.ts';
import { colourText as colourAnyText } from './printable.ts';
import {
  describeMissing,
  type FailedCheck,
  formatSeconds,
  getUnscoredTitle,
  listColumnNames,
  listRuleNotes,
  type RunView,
} from './run-view.ts';
import { formatTimeline } from './timeline.ts';
import { countTotals, isBroken } from './totals.ts';
import { VERDICT_MARKS } from './verdicts.ts';

const MAX_REASONS = 6;
/** A summary that is not verbose lists each rule only if there are at most this many. */
const MAX_LISTED_RULES = 30;
const MAX_LISTED_DECISIONS = 8;
const MAX_SLOW_RULES = 5;
const SLOW_CHECK_MS = 5000;
/** The maximum number of rules in the suggested `--rule` option. */
const MAX_REPEATED_RULES = 5;

interface TerminalOptions {
  readonly colour: boolean;
  /** Lists every rule. Otherwise, a summary of many rules shows the number of rules with each verdict instead. */
  readonly verbose?: boolean;
  /** Extra lines, such as stale baseline entries. */
  readonly notes?: readonly string[];
}

export function formatTerminalSummary(run: RunView, { colour, verbose = false, notes = [] }: TerminalOptions): string {
  const colourText: ColourText = (format, text) => (colour ? colourAnyText(format, text, { validateStream: false }) : text);
  const { columns, target, coverage } = run;
  const formatHeading = (text: string) => colourText('bold', text);
  const lines: string[] = [];
  const addSection = (heading: string, content: readonly string[]) => {
    if (content.length > 0) lines.push('', heading, ...content);
  };

  const forms = [...run.columnNames.map((form) => `${form} paths`), ...run.facts].join(', ');
  lines.push('', formatHeading(run.title) + colourText('gray', forms === '' ? '' : `  ${forms}`));
  addSection(formatHeading(colourText('red', 'Failed')), run.failed.flatMap(formatFailure));
  addSection(formatHeading(colourText('red', 'Flaky: the runs do not agree')), run.flaky.flatMap(formatFailure));
  addSection(formatHeading(colourText('magenta', `Errors in the ${run.toolNoun} itself: these rules were not tested`)), [
    ...run.erroneous.flatMap(formatFailure),
    ...run.errors.flatMap((error) => ['', indent(error)]),
  ]);
  addSection(formatHeading(getUnscoredTitle(run)), run.unscored.flatMap(formatFailure));
  addSection(formatHeading('Advice, which never fails a run'), run.advice.flatMap(formatFailure));
  if (verbose || run.rules.length <= MAX_LISTED_RULES)
    for (const [resource, group] of run.resources)
      addSection(formatHeading(resource), [...formatColumnHeaders(), ...group.flatMap(formatRule)]);
  else {
    addSection(formatHeading('Rules (--verbose lists each)'), formatResources());
    addSection(formatHeading('Slowest rules'), formatSlowRules());
  }
  addSection(
    formatHeading(`Not fully tested: missing ${run.missingNoun}`),
    run.missing.map(({ capability, rules, source }) => `  ${capability.padEnd(28)} ${rules.padEnd(10)} ${colourText('gray', source)}`),
  );
  addSection(formatHeading('Not fully tested: other reasons'), [
    ...run.otherReasons.slice(0, MAX_REASONS).flatMap(({ reason, rules }) => [`  ${rules}`, indent(shortenMessage(reason), '    ')]),
    ...(run.otherReasons.length > MAX_REASONS ? [`  ${run.otherReasons.length - MAX_REASONS} more are in the other reports`] : []),
  ]);
  const observed = run.observed.map(({ decision, text }) => indent(`${decision.padEnd(44)} ${text}`));
  if (verbose || observed.length <= MAX_LISTED_DECISIONS)
    addSection(formatHeading('Observed decisions, which the specification leaves open'), observed);
  else
    lines.push(
      '',
      `${formatHeading('Observed decisions')}: ${observed.length}, which the specification leaves open (--verbose lists them)`,
    );
  addSection(
    formatHeading('Not removed from the target'),
    run.leftovers.map((line) => indent(line)),
  );
  if (run.notes !== undefined) lines.push('', formatHeading('Notes'), ...run.notes.map((note) => indent(note)));
  if (coverage !== undefined) {
    lines.push('', formatHeading(summarizeCoverage(coverage)), ...formatCoverageLines(coverage).map((line) => `  ${line}`));
    const provoking = coverage.some(({ provoke }) => provoke !== undefined) ? ' The other reports show how to provoke each answer.' : '';
    lines.push(colourText('gray', `  ✓: received. –: never received. 1/3: received for one of three reasons.${provoking}`));
  }
  if (notes.length > 0) lines.push('', ...notes);
  const cause = describeCommonAnswer(run.failed);
  if (cause !== undefined) lines.push('', `  ${cause}`);
  lines.push('', ...formatClosing(run, colourText));
  if (run.suggestion)
    addSection(
      `  ${run.suggestion.sentence}`,
      run.suggestion.capabilities.map((capability) => `    ${capability}`),
    );
  const failed = [...new Set([...run.failed, ...run.flaky].map(({ rule }) => rule.id))];
  const repeated = failed.slice(0, MAX_REPEATED_RULES);
  if (run.forms !== undefined && repeated.length > 0)
    lines.push(
      '',
      `  To test only ${failed.length > MAX_REPEATED_RULES ? `the first ${MAX_REPEATED_RULES}` : 'the'} failed rules, repeat the command and add: --rule ${repeated.join(' ')}`,
    );
  return lines.join('\n');

  /** A staircase above the columns of marks, because the names are wider than the columns. */
  function formatColumnHeaders(): string[] {
    return run.columnNames.map((name, index) => colourText('gray', `  ${'│ '.repeat(index)}${name} paths`));
  }

  function formatResources(): string[] {
    const width = Math.max(...run.resources.map(([resource]) => resource.length));
    return run.resources.map(
      ([resource, group]) => `  ${resource.padEnd(width)}  ${formatCounts(countTotals(group), 'documented', colourText)}`,
    );
  }

  function formatSlowRules(): string[] {
    const durations = run.rules.map(({ id, cells }) => {
      const checks = Object.values(cells).flatMap((cell) => cell.checks);
      return { id, durationMs: Math.max(0, ...checks.map(({ durationMs = 0 }) => durationMs)) };
    });
    const slow = durations.filter(({ durationMs }) => durationMs >= SLOW_CHECK_MS).sort((a, b) => b.durationMs - a.durationMs);
    return slow.slice(0, MAX_SLOW_RULES).map(({ id, durationMs }) => `  ${formatSeconds(durationMs).padStart(7)}  ${id}`);
  }

  function formatRule(rule: RuleResult): string[] {
    const { id, level, cells, text } = rule;
    const ruleNotes = listRuleNotes(rule).join(', ');
    const marks = columns.map((column) => {
      const verdict = cells[column]?.verdict ?? 'not-applicable';
      const colour = level === 'advice' && verdict === 'failed' ? 'yellow' : VERDICT_COLOURS[verdict];
      return colourText(colour, isBroken({ verdict }) && run.isTolerated(id, column) ? '~' : VERDICT_MARKS[verdict]);
    });
    const why = describeMissing(rule);
    const line = `  ${marks.join(' ')}  ${id}${ruleNotes === '' ? '' : colourText('gray', ` (${ruleNotes})`)}  ${colourText('gray', text)}`;
    return why === undefined ? [line] : [line, indent(shortenMessage(why), ' '.repeat(4 + 2 * columns.length))];
  }

  function formatFailure({ rule, check, columns: failedIn }: FailedCheck): string[] {
    const known = failedIn.every((column) => run.isTolerated(rule.id, column)) ? ' (known, in the baseline)' : '';
    const ruleNotes = rule.level === 'advice' ? [] : listRuleNotes(rule);
    return [
      '',
      `  ${colourText('bold', rule.id)}  ${[...listColumnNames(failedIn), ...ruleNotes].join(', ')}${known}`.trimEnd(),
      `  ${check.title}  ${colourText('gray', rule.section)}`,
      indent(shortenMessage(check.failure?.message ?? 'It failed.', check.failure?.exchange ? 6 : 20), '    '),
      ...(check.failure?.traceId ? [indent(`traceId ${check.failure.traceId}`, '    ')] : []),
      ...formatTimeline(check, target.kind).map((line) => `      ${line}`),
      ...(check.place === undefined ? [] : [colourText('gray', `    ${check.place}`)]),
    ];
  }
}

/** Other reports contain the whole message. */
function shortenMessage(message: string, lines = 6): string {
  return message
    .split('\n')
    .slice(0, lines)
    .map((line) => (line.length > 300 ? `${line.slice(0, 300)}…` : line))
    .join('\n');
}

function indent(text: string, by = '  '): string {
  return text
    .trim()
    .split('\n')
    .map((line) => by + line)
    .join('\n');
}
