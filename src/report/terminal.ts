import { styleText } from 'node:util';
import type { Results, RuleResult } from '../contract/generated/results.ts';
import { coverageLines, coverageSummary } from './coverage.ts';
import { shownValue } from './decisions-file.ts';
import { profileMemberOf, withProfileMember } from './profile-members.ts';
import {
  addFirst,
  boundedSummary,
  byResource,
  columnNames,
  type FailedCheck,
  failedChecks,
  levelsOf,
  MARKS,
  missingCapabilities,
  missingInPart,
  otherReasons,
  seconds,
  testerOf,
  titleOf,
  VERDICTS,
  wordOf,
} from './summary.ts';
import { timelineLines } from './timeline.ts';
import { conclusionOf, totalsOf } from './totals.ts';

const COLOURS = {
  passed: 'green',
  failed: 'red',
  error: 'magenta',
  'partly-tested': 'cyan',
  'not-testable': 'yellow',
  'not-exercised': 'yellow',
  'not-applicable': 'gray',
} as const;

const MAX_REASONS = 6;

interface Summary {
  readonly results: Results;
  /** Whether to use colours. */
  readonly colour: boolean;
  /** The reasons for exit code 1, from the function `failureReasons`. */
  readonly failureReasons: readonly string[];
  /** The tolerated failures in the baseline. Each string is a rule id and a column, such as `users.get.shape flat`. */
  readonly tolerated?: ReadonlySet<string>;
  /** Lines about the baseline, such as stale entries. */
  readonly notes?: readonly string[];
}

/** Writes the summary at the end of a run: first a line for each rule, then the failures, then the totals. */
export function terminalSummary({ results, colour, failureReasons, tolerated = new Set(), notes = [] }: Summary): string {
  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    colour ? styleText(format, text, { validateStream: false }) : text;
  const { rules, columns, target } = results;
  const heading = (text: string) => paint('bold', text);

  const lines = [
    '',
    heading(titleOf(results)) +
      paint('gray', columnNames(columns).length === 0 ? '' : `  ${columns.map((form) => `${form} paths`).join(', ')}`),
  ];
  for (const [resource, group] of byResource(rules)) lines.push('', heading(resource), ...group.flatMap(ruleLines));

  const [broken, errors] = [failedChecks(results, 'failed'), failedChecks(results, 'error')];
  const failed = broken.filter(({ rule }) => rule.level !== 'advice');
  const advice = broken.filter(({ rule }) => rule.level === 'advice');
  if (failed.length > 0) lines.push('', heading(paint('red', 'Failed')), ...failed.flatMap(failureLines));
  if (errors.length + results.errors.length > 0) {
    lines.push(
      '',
      heading(paint('magenta', `Errors of ${testerOf(results)} itself: these rules were not tested`)),
      ...errors.flatMap(failureLines),
    );
    lines.push(...results.errors.flatMap((error) => ['', indent(error)]));
  }
  if (advice.length > 0) lines.push('', heading('Advice, which never fails a run'), ...advice.flatMap(failureLines));
  const missing = missingCapabilities(results);
  if (missing.length > 0) {
    lines.push(
      '',
      heading(`Not fully tested: missing ${columns.includes('integration') ? 'options' : 'capabilities'}`),
      ...missing.map(
        ([capability, count]) => `  ${capability.padEnd(28)} ${ruleCount(count).padEnd(10)} ${paint('gray', profileMemberOf(capability))}`,
      ),
    );
  }
  const reasons = otherReasons(results);
  if (reasons.length > 0) {
    lines.push('', heading('Not fully tested: other reasons'));
    lines.push(...reasons.slice(0, MAX_REASONS).flatMap(([reason, count]) => [`  ${ruleCount(count)}`, indent(shortened(reason), '    ')]));
    if (reasons.length > MAX_REASONS) lines.push(`  and ${reasons.length - MAX_REASONS} more, in the other reports`);
  }
  if (results.observations.length > 0) {
    lines.push('', heading('Observed decisions, which the specification leaves open'));
    lines.push(...results.observations.map((seen) => indent(`${seen.decision.padEnd(44)} ${shownValue(seen)}`)));
  }
  if (results.leftovers.length > 0)
    lines.push('', heading('Not removed from the target'), ...results.leftovers.map((line) => indent(line)));
  if (results.notes !== undefined) lines.push('', heading('Notes'), ...results.notes.map((note) => indent(note)));
  if (results.coverage !== undefined) {
    lines.push('', heading(coverageSummary(results.coverage)), ...coverageLines(results.coverage).map((line) => `  ${line}`));
    lines.push(paint('gray', '  ✓ met, – never met, 1/3 met for one of three reasons. The other reports say how to meet each.'));
  }
  if (notes.length > 0) lines.push('', ...notes);
  lines.push('', ...levelsOf(results).map(totalLine));
  const bounded = boundedSummary(results);
  if (bounded) lines.push(paint('gray', `  ${bounded}`));
  lines.push('', conclusion());
  const first = addFirst(results);
  if (first) lines.push('', `  ${first.sentence}`, ...first.capabilities.map((capability) => `    ${withProfileMember(capability)}`));
  return lines.join('\n');

  function ruleLines(rule: RuleResult): string[] {
    const { id, level, cells, text } = rule;
    const marks = columns.map((column) => {
      const verdict = cells[column]?.verdict ?? 'not-applicable';
      const colour = level === 'advice' && verdict === 'failed' ? 'yellow' : COLOURS[verdict];
      return paint(colour, verdict === 'failed' && tolerated.has(`${id} ${column}`) ? '~' : MARKS[verdict]);
    });
    const why = missingInPart(rule);
    const line = `  ${marks.join(' ')}  ${id}${level === 'documented' ? '' : paint('gray', ` (${level})`)}  ${paint('gray', text)}`;
    return why === undefined ? [line] : [line, indent(shortened(why), ' '.repeat(4 + 2 * columns.length))];
  }

  function failureLines({ rule, check, columns: failedIn }: FailedCheck): string[] {
    const known = failedIn.every((column) => tolerated.has(`${rule.id} ${column}`)) ? ' (known, in the baseline)' : '';
    const level = rule.level === 'implied' ? ['implied'] : [];
    return [
      '',
      `  ${paint('bold', rule.id)}  ${[...columnNames(failedIn), ...level].join(', ')}${known}`.trimEnd(),
      `  ${check.title}  ${paint('gray', rule.section)}`,
      indent(shortened(check.failure?.message ?? 'It failed.', check.timeline ? 20 : 6), '    '),
      ...(check.failure?.traceId ? [indent(`traceId ${check.failure.traceId}`, '    ')] : []),
      ...timelineLines(check, target.kind).map((line) => `      ${printable(line)}`),
      ...(check.place === undefined ? [] : [paint('gray', `    ${check.place}`)]),
    ];
  }

  function totalLine(level: RuleResult['level']): string {
    const totals = totalsOf(rules, level);
    const rest = VERDICTS.filter((verdict) => verdict !== 'passed' && totals[verdict] > 0).map((verdict) =>
      paint(COLOURS[verdict], `${totals[verdict]} ${wordOf(verdict, level)}`),
    );
    return `  ${level.padEnd(10)}  ${heading(`${totals.passed} of ${totals.inScope} ${wordOf('passed', level)}`)}${rest.map((part) => `, ${part}`).join('')}`;
  }

  function conclusion(): string {
    const time = paint('gray', ` (${seconds(results.durationMs)})`);
    const { kind, text } = conclusionOf(results, failureReasons, tolerated);
    return `  ${paint(COLOURS[kind], text)}${time}`;
  }
}

function ruleCount(count: number): string {
  return count === 1 ? '1 rule' : `${count} rules`;
}

/** Shortens a message for the terminal. All other reports contain the complete message. */
function shortened(message: string, lines = 6): string {
  return message
    .split('\n')
    .slice(0, lines)
    .map((line) => (line.length > 300 ? `${line.slice(0, 300)}…` : line))
    .join('\n');
}

/** Replaces control characters. A text from the target must not control the terminal. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, '\ufffd');
}

/** Indents a text and replaces its control characters. */
function indent(text: string, by = '  '): string {
  return printable(text)
    .trim()
    .split('\n')
    .map((line) => by + line)
    .join('\n');
}
